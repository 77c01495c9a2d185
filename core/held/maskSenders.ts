import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import type { Call } from "../api/call.ts";
import { type Problem, problemOf } from "../api/errorMessages.ts";
import { isRefused } from "../kernel/failure.ts";
import { deleteMaskSender, listMaskSenders } from "./heldEndpoints.ts";

/** The senders that a mask always accepts, and those that it refuses. */
export interface ListedSenders {
  readonly allow: readonly string[];
  readonly block: readonly string[];
}

/** The lists of senders of the user's masks. */
export interface MaskSenders {
  readonly load: (maskId: string) => TE.TaskEither<Problem, ListedSenders>;
  /** Removes a sender from its list; succeeds when it is on none. */
  readonly remove: (maskId: string, sender: string) => TE.TaskEither<Problem, void>;
}

const toListProblem = problemOf({ page: "Failed to load the allowed and blocked senders" });
const toRemoveProblem = problemOf({ page: "Failed to remove the sender" });

export const createMaskSenders = ({ call }: { readonly call: Call }): MaskSenders => ({
  load: (maskId) => pipe(call(listMaskSenders)({ params: { id: maskId } }), TE.mapLeft(toListProblem)),
  remove: (maskId, sender) =>
    pipe(
      call(deleteMaskSender)({ params: { id: maskId, sender } }),
      TE.orElse((failure) => TE.fromEither(isRefused(failure, 404) ? E.right(undefined) : E.left(failure))),
      TE.mapLeft(toRemoveProblem),
    ),
});
