import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import * as t from "io-ts";
import { decoded } from "../contract/decoded.ts";
import { type Failure, isRefused, unreadable } from "../kernel/failure.ts";
import type { Call } from "../requests/call.ts";
import type { Tier } from "../tiers/tier.ts";
import { probeCode, SecondFactor, SignInCode } from "./oneTimeCode.ts";
import * as endpoints from "./sessionEndpoints.ts";
import { outcomeOf, type SignInOutcome } from "./signInAnswer.ts";

const { SignInEmail } = endpoints;

/** The address as it was typed, checked before anything is sent (SI2). */
const checkedAddress = (email: string) => decoded(t.type({ email: SignInEmail }), { email });

const outcome = TE.chainEitherK(outcomeOf);

/** What the sign-in form asks of the server (SI9). */
export interface SignInCalls {
  /** The address as it would be used; nothing is sent. */
  readonly checkedEmail: (email: string) => TE.TaskEither<Failure, string>;
  /** Answers the address as it was used. */
  readonly requestCode: (email: string) => TE.TaskEither<Failure, string>;
  readonly verifyCode: (email: string, otp: string) => TE.TaskEither<Failure, SignInOutcome>;
  readonly verifyTwoFactor: (
    email: string,
    code: string,
    tempToken: string,
  ) => TE.TaskEither<Failure, SignInOutcome>;
  readonly signUp: (
    tempToken: string,
    tier: Tier,
    checkoutSessionId?: string,
  ) => TE.TaskEither<Failure, SignInOutcome>;
  readonly userExists: (email: string) => TE.TaskEither<Failure, boolean>;
}

export const makeSignInCalls = (call: Call): SignInCalls => ({
  checkedEmail: (email) =>
    pipe(
      checkedAddress(email),
      TE.map((body) => body.email),
    ),
  requestCode: (email) =>
    pipe(
      checkedAddress(email),
      TE.chainFirst((body) => call(endpoints.requestCode)({ body })),
      TE.map((body) => body.email),
    ),
  verifyCode: (email, otp) =>
    pipe(
      decoded(t.type({ email: SignInEmail, otp: SignInCode }), { email, otp }),
      TE.chain((body) => call(endpoints.verifyCode)({ body })),
      outcome,
    ),
  verifyTwoFactor: (email, code, tempToken) =>
    pipe(
      decoded(t.type({ email: SignInEmail, code: SecondFactor, tempToken: t.string }), {
        email,
        code,
        tempToken,
      }),
      TE.chain((body) => call(endpoints.verifyTwoFactor)({ body })),
      outcome,
    ),
  signUp: (tempToken, tier, checkoutSessionId) =>
    pipe(
      call(endpoints.signUp)({
        body: { tempToken, tier, ...(checkoutSessionId === undefined ? {} : { checkoutSessionId }) },
      }),
      outcome,
    ),
  userExists: (email) =>
    pipe(
      checkedAddress(email),
      TE.chain((body) => call(endpoints.verifyCode)({ body: { ...body, otp: probeCode } })),
      TE.chain(({ status }) =>
        status === endpoints.planSelectionRequired
          ? TE.right(false)
          : TE.left(unreadable("existence probe", ["neither known nor new"])),
      ),
      TE.orElse((failure: Failure) => (isRefused(failure, 401) ? TE.right(true) : TE.left(failure))),
    ),
});
