import * as E from "fp-ts/lib/Either.js";
import type { TaskEither } from "fp-ts/lib/TaskEither.js";
import type { SchedulerLike } from "rxjs";
import type { Failure } from "../kernel/failure.ts";

/** A sync over the socket that has not finished by then is done over HTTP (SY5). */
const socketSyncWithinMs = 5_000;

/**
 * Syncs over the socket, or over HTTP where that fails or takes longer than 5 s. What the socket says after that is
 * not listened to.
 */
export const socketFirst =
  <A>(
    scheduler: SchedulerLike,
    overSocket: TaskEither<Failure, A>,
    overHttp: TaskEither<Failure, A>,
  ): TaskEither<Failure, A> =>
  () =>
    new Promise((resolve, reject) => {
      let isDecided = false;
      const fallBack = (): void => {
        if (isDecided) return;
        isDecided = true;
        patience.unsubscribe();
        overHttp().then(resolve, reject);
      };
      const patience = scheduler.schedule(fallBack, socketSyncWithinMs);
      overSocket().then((result) => {
        if (E.isLeft(result)) return fallBack();
        if (isDecided) return;
        isDecided = true;
        patience.unsubscribe();
        resolve(result);
      }, fallBack);
    });
