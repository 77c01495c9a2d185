import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import type { Call } from "../api/call.ts";
import { type Problem, problemOf } from "../api/errorMessages.ts";
import { decodeInput } from "../api/fieldErrors.ts";
import type { Failure } from "../kernel/failure.ts";
import type { Authenticator } from "../ports/authenticator.ts";
import { proveByCode, requestProofCode } from "../session/recentProofEndpoints.ts";
import * as endpoints from "./passkeyEndpoints.ts";
import { type PasskeyAnswer, usePasskey } from "./usedPasskey.ts";

/** The proof of a signed-in user that it is them, which holds for five minutes. */
export interface AccountProof {
  /** Mails a code to the account's address. */
  readonly sendCode: () => TE.TaskEither<Problem, void>;
  readonly proveByCode: (code: string) => TE.TaskEither<Problem, void>;
  /** Succeeds with false when the user closes the browser's dialog. */
  readonly proveByPasskey: () => TE.TaskEither<Problem, boolean>;
}

export interface AccountProofDeps {
  readonly call: Call;
  readonly authenticator: Authenticator;
}

const toCodeProblem = problemOf({ page: "Failed to send a code" });
const toProblem = problemOf({ page: "This could not be confirmed" });

/** Has a passkey prove that it is the user, and returns it; null when the user closes the browser's dialog. */
export const proofByPasskey = ({
  call,
  authenticator,
}: AccountProofDeps): TE.TaskEither<Failure, PasskeyAnswer | null> =>
  pipe(
    call(endpoints.getProofOptions)(),
    TE.chain(({ options }) => usePasskey(authenticator, options, "dialog")),
    TE.chainFirst(({ used }) => call(endpoints.proveByPasskey)({ body: used })),
    TE.orElseW((failure) =>
      failure.kind === "cancelled" ? TE.right<Failure, PasskeyAnswer | null>(null) : TE.left(failure),
    ),
  );

/** Creates the proof; nothing is asked for until it is used. */
export const createAccountProof = ({ call, authenticator }: AccountProofDeps): AccountProof => ({
  sendCode: () => pipe(call(requestProofCode)(), TE.mapLeft(toCodeProblem)),
  proveByCode: (code) =>
    pipe(
      decodeInput(proveByCode.body, { code }),
      TE.chain((body) => call(proveByCode)({ body })),
      TE.mapLeft(toProblem),
    ),
  proveByPasskey: () =>
    pipe(
      proofByPasskey({ call, authenticator }),
      TE.map((answer) => answer !== null),
      TE.mapLeft(toProblem),
    ),
});
