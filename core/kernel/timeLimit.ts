import { left } from "fp-ts/lib/Either.js";
import type { TaskEither } from "fp-ts/lib/TaskEither.js";
import { firstValueFrom, from, map, race, type SchedulerLike, timer } from "rxjs";

/** Fails with `failure` when the task takes longer than `afterMs`; its later result is ignored. */
export const withTimeLimit =
  <E>(scheduler: SchedulerLike, afterMs: number, failure: E) =>
  <A>(task: TaskEither<E, A>): TaskEither<E, A> =>
  () =>
    firstValueFrom(race(from(task()), timer(afterMs, scheduler).pipe(map(() => left(failure)))));
