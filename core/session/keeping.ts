import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { type Failure, isRefused } from "../kernel/failure.ts";
import { endsSession } from "../requests/freshSession.ts";
import { attemptsUsedUp, type Refresh } from "./refresh.ts";
import type { SessionCalls } from "./sessionCalls.ts";
import type { SessionItems } from "./sessionItems.ts";

/** What is done so that a session goes on. */
export interface Keeping {
  /** Replaces the token; the third attempt in a row ends the session instead (SE5). */
  readonly refresh: TE.TaskEither<Failure, void>;
  /** Asks whether the server knows the token; one that it does not know is replaced (SE8). */
  readonly validate: TE.TaskEither<Failure, void>;
}

interface Needs {
  readonly items: SessionItems;
  readonly calls: SessionCalls;
  readonly refresh: Refresh;
  /** The session cannot be kept. */
  readonly expire: () => void;
}

export const makeKeeping = ({ items, calls, refresh, expire }: Needs): Keeping => {
  const expireIf = (isOver: boolean, owner: string | null): void => {
    if (isOver && owner !== null && items.owner() === owner) expire();
  };
  const refreshed: TE.TaskEither<Failure, void> = () => {
    const owner = items.owner();
    return pipe(
      refresh.run,
      TE.orElseFirstIOK((failure) => () => expireIf(failure === attemptsUsedUp, owner)),
    )();
  };
  /** The answer counts for the token that was asked about. */
  const known: TE.TaskEither<Failure, void> = () => {
    const asked = items.token();
    return pipe(
      calls.validate,
      TE.tapIO(() => () => {
        if (asked !== null && items.token() === asked) items.noteValid();
      }),
    )();
  };
  const unlessRefreshed = (failure: Failure): TE.TaskEither<Failure, void> => {
    const owner = items.owner();
    return pipe(
      refresh.run,
      TE.mapLeft((why) => {
        expireIf(endsSession(why), owner);
        return failure;
      }),
    );
  };
  return {
    refresh: refreshed,
    validate: pipe(
      known,
      TE.orElse((failure) =>
        isRefused(failure, 401) && items.token() !== null ? unlessRefreshed(failure) : TE.left(failure),
      ),
    ),
  };
};
