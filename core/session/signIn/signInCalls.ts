import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import * as t from "io-ts";
import type { Call } from "../../api/call.ts";
import { decodeInput } from "../../api/fieldErrors.ts";
import { type Failure, isRefused, unreadable } from "../../kernel/failure.ts";
import type { Tier } from "../../tiers/tier.ts";
import { probeCode, SecondFactor, SignInCode } from "../oneTimeCode.ts";
import * as endpoints from "../sessionEndpoints.ts";
import { codeRequired, type LoginAnswer, planSelectionRequired, type SignedIn } from "../sessionEndpoints.ts";

/** The next step after a valid code. `tempToken` proves the completed step. */
export type SignInOutcome =
  | { readonly kind: "signed-in"; readonly signedIn: SignedIn }
  | { readonly kind: "two-factor"; readonly tempToken: string }
  | { readonly kind: "plan"; readonly tempToken: string; readonly needsInvitation?: true };

/** Determines the outcome of a sign-in response; fails with `unreadable` when it has no known form. */
const parseLoginAnswer = (answer: LoginAnswer): E.Either<Failure, SignInOutcome> => {
  const { token, user, status, requires2FA, tempToken, needsInvitation } = answer;
  if (token && user) return E.right({ kind: "signed-in", signedIn: { token, user } });
  if (status === planSelectionRequired)
    return E.right({
      kind: "plan",
      tempToken: tempToken ?? "",
      ...(needsInvitation ? { needsInvitation } : {}),
    });
  if (requires2FA || tempToken) return E.right({ kind: "two-factor", tempToken: tempToken ?? "" });
  return E.left(unreadable("sign-in", ["neither a session nor a next step"]));
};

const { SignInEmail } = endpoints;

const decodeEmail = (email: string) => decodeInput(t.type({ email: SignInEmail }), { email });

const outcome = TE.chainEitherK(parseLoginAnswer);

/** The proofs that a new account may need: the checkout that paid for its plan, and an invitation. */
export interface SignUpProof {
  readonly checkoutSessionId?: string | undefined;
  readonly invitation?: string | undefined;
}

/** The requests of the sign-in form. */
export interface SignInCalls {
  /** Validates and normalizes the address; sends nothing. */
  readonly validateEmail: (email: string) => TE.TaskEither<Failure, string>;
  /** Sends a code and returns the normalized address. */
  readonly requestCode: (email: string) => TE.TaskEither<Failure, string>;
  readonly verifyCode: (email: string, otp: string) => TE.TaskEither<Failure, SignInOutcome>;
  readonly openLink: (token: string) => TE.TaskEither<Failure, SignInOutcome>;
  /** Returns the next step after a proof other than a code; a null outcome means that a code was sent to the address. */
  readonly nextStep: (
    proof: TE.TaskEither<Failure, LoginAnswer>,
  ) => TE.TaskEither<Failure, { readonly email: string; readonly outcome: SignInOutcome | null }>;
  readonly verifyTwoFactor: (
    email: string,
    code: string,
    tempToken: string,
  ) => TE.TaskEither<Failure, SignInOutcome>;
  readonly signUp: (
    tempToken: string,
    tier: Tier,
    proof?: SignUpProof,
  ) => TE.TaskEither<Failure, SignInOutcome>;
  readonly userExists: (email: string) => TE.TaskEither<Failure, boolean>;
}

/** Creates the requests; input is validated before anything is sent. */
export const createSignInCalls = (call: Call): SignInCalls => ({
  validateEmail: (email) =>
    pipe(
      decodeEmail(email),
      TE.map((body) => body.email),
    ),
  requestCode: (email) =>
    pipe(
      decodeEmail(email),
      TE.chainFirst((body) => call(endpoints.requestCode)({ body })),
      TE.map((body) => body.email),
    ),
  verifyCode: (email, otp) =>
    pipe(
      decodeInput(t.type({ email: SignInEmail, otp: SignInCode }), { email, otp }),
      TE.chain((body) => call(endpoints.verifyCode)({ body })),
      outcome,
    ),
  openLink: (token) => pipe(call(endpoints.openSignInLink)({ body: { token } }), outcome),
  nextStep: TE.chainEitherK((answer) =>
    pipe(
      answer.status === codeRequired ? E.right(null) : parseLoginAnswer(answer),
      E.map((next: SignInOutcome | null) => ({ email: answer.email ?? "", outcome: next })),
    ),
  ),
  verifyTwoFactor: (email, code, tempToken) =>
    pipe(
      decodeInput(t.type({ email: SignInEmail, code: SecondFactor, tempToken: t.string }), {
        email,
        code,
        tempToken,
      }),
      TE.chain((body) => call(endpoints.verifyTwoFactor)({ body })),
      outcome,
    ),
  signUp: (tempToken, tier, { checkoutSessionId, invitation } = {}) =>
    pipe(
      call(endpoints.signUp)({
        body: {
          tempToken,
          tier,
          ...(checkoutSessionId === undefined ? {} : { checkoutSessionId }),
          ...(invitation === undefined ? {} : { invitation }),
        },
      }),
      outcome,
    ),
  userExists: (email) =>
    pipe(
      decodeEmail(email),
      TE.chain((body) => call(endpoints.verifyCode)({ body: { ...body, otp: probeCode } })),
      TE.chain(({ status }) =>
        status === endpoints.planSelectionRequired
          ? TE.right(false)
          : TE.left(unreadable("existence probe", ["neither known nor new"])),
      ),
      TE.orElse((failure: Failure) => (isRefused(failure, 401) ? TE.right(true) : TE.left(failure))),
    ),
});
