import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import type * as TE from "fp-ts/lib/TaskEither.js";
import type { Failure } from "./failure.ts";
import type { Owner } from "./owner.ts";
import { mapResult } from "./task.ts";

/** Runs a request; ignores the response when the user has changed in the meantime. */
export type OwnedRequest = <P, A, B>(
  toProblem: (failure: Failure) => P,
  task: TE.TaskEither<Failure, A>,
  onSuccess: (value: A) => B,
) => TE.TaskEither<P, A>;

export const createOwnedRequest =
  (owner: Pick<Owner, "tap">): OwnedRequest =>
  (toProblem, task, onSuccess) =>
    pipe(task, owner.tap(E.match(() => {}, onSuccess)), mapResult(E.mapLeft(toProblem)));
