import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { updateProfile } from "../account/profileEndpoints.ts";
import type { Call } from "../api/call.ts";
import { type Problem, problemOf } from "../api/errorMessages.ts";
import type { KeyOfferAnswer } from "../session/keyOfferAnswer.ts";

/** The offer to encrypt mail, to a user who has not set that up. */
export interface KeyOffer {
  /** Stores the answer in the account: not now, or never again. */
  readonly answer: (answer: KeyOfferAnswer) => TE.TaskEither<Problem, void>;
}

export interface KeyOfferDeps {
  readonly call: Call;
  readonly refreshAccount: () => TE.TaskEither<Problem, void>;
}

const toProblem = problemOf({ page: "Failed to save your choice" });

export const createKeyOffer = ({ call, refreshAccount }: KeyOfferDeps): KeyOffer => ({
  answer: (keyOffer) =>
    pipe(
      call(updateProfile)({ body: { keyOffer } }),
      TE.mapLeft(toProblem),
      TE.chain(() => refreshAccount()),
    ),
});
