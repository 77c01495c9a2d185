import { left } from "fp-ts/lib/Either.js";
import type { TaskEither } from "fp-ts/lib/TaskEither.js";
import { type SchedulerLike, Subscription } from "rxjs";
import { makeState, type State } from "./state.ts";

/** How long after one submission the same is still refused (SI7). */
const resubmitGuardMs = 500;

/** Lets one submission run at a time, and the same not twice. */
export interface Submission {
  /** True while one runs and for 500 ms after it. */
  readonly busy$: State<boolean>;
  /**
   * Runs the task, or does nothing and fails with `whenBusy`: while another runs, and for 500 ms after one of the same
   * `what`. Something else need not wait so long: it is no second press of the same button.
   */
  readonly run: <E, A>(task: TaskEither<E, A>, whenBusy: E, what?: string) => TaskEither<E, A>;
}

export const makeSubmission = (scheduler: SchedulerLike): Submission => {
  const busy$ = makeState(false);
  let isRunning = false;
  let latest = "";
  let release = Subscription.EMPTY;
  const ended = (): void => {
    isRunning = false;
    release = scheduler.schedule(() => busy$.set(false), resubmitGuardMs);
  };
  return {
    busy$,
    run:
      (task, whenBusy, what = "") =>
      () => {
        if (isRunning || (busy$.value && what === latest)) return Promise.resolve(left(whenBusy));
        release.unsubscribe();
        isRunning = true;
        latest = what;
        busy$.set(true);
        return task().finally(ended);
      },
  };
};
