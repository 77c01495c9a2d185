import { left } from "fp-ts/lib/Either.js";
import type { TaskEither } from "fp-ts/lib/TaskEither.js";
import { type SchedulerLike, Subscription } from "rxjs";
import { createState, type State } from "./state.ts";

/** How long after a submission the same one is still rejected. */
const resubmitGuardMs = 500;

/** Runs one submission at a time and rejects repetitions such as a double click. */
export interface Submission {
  /** True while a submission runs and for 500 ms after it. */
  readonly busy$: State<boolean>;
  /**
   * Runs the task. Fails with `whenBusy` while another one runs, and for 500 ms after one with the same `key`; a task
   * with another key does not wait for these 500 ms.
   */
  readonly run: <E, A>(task: TaskEither<E, A>, whenBusy: E, key?: string) => TaskEither<E, A>;
}

/** Creates an idle submission. */
export const createSubmission = (scheduler: SchedulerLike): Submission => {
  const busy$ = createState(false);
  let isRunning = false;
  let latestKey = "";
  let release = Subscription.EMPTY;
  const onEnd = (): void => {
    isRunning = false;
    release = scheduler.schedule(() => busy$.set(false), resubmitGuardMs);
  };
  return {
    busy$,
    run:
      (task, whenBusy, key = "") =>
      () => {
        if (isRunning || (busy$.value && key === latestKey)) return Promise.resolve(left(whenBusy));
        release.unsubscribe();
        isRunning = true;
        latestKey = key;
        busy$.set(true);
        return task().finally(onEnd);
      },
  };
};
