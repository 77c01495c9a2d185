import { left } from "fp-ts/lib/Either.js";
import type { TaskEither } from "fp-ts/lib/TaskEither.js";
import type { SchedulerLike } from "rxjs";
import { makeState, type State } from "./state.ts";

/** How long after one submission the next is still refused (SI7). */
const resubmitGuardMs = 500;

/** Lets one submission run at a time. */
export interface Submission {
  /** True while one runs and for 500 ms after it. */
  readonly busy$: State<boolean>;
  /** Runs the task, or does nothing and fails with `whenBusy`. */
  readonly run: <E, A>(task: TaskEither<E, A>, whenBusy: E) => TaskEither<E, A>;
}

export const makeSubmission = (scheduler: SchedulerLike): Submission => {
  const busy$ = makeState(false);
  const release = (): void => {
    scheduler.schedule(() => busy$.set(false), resubmitGuardMs);
  };
  return {
    busy$,
    run: (task, whenBusy) => () => {
      if (busy$.value) return Promise.resolve(left(whenBusy));
      busy$.set(true);
      return task().finally(release);
    },
  };
};
