import { pipe } from "fp-ts/lib/function.js";
import type { TaskEither } from "fp-ts/lib/TaskEither.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { type SchedulerLike, Subscription } from "rxjs";
import { createState, type State } from "./state.ts";
import { deferTask, onEnd } from "./task.ts";

/** The time after the end of a task for which the same one is still rejected. */
const repeatGuardMs = 500;

/** Runs one task at a time and rejects repetitions such as a double click. */
export class SingleFlight {
  /** True while a task runs and for 500 ms after it. */
  readonly busy$: State<boolean>;
  readonly #busy$ = createState(false);
  readonly #exclusive = createExclusive();
  readonly #scheduler: SchedulerLike;
  #latestKey = "";
  #release = Subscription.EMPTY;

  constructor(scheduler: SchedulerLike) {
    this.#scheduler = scheduler;
    this.busy$ = this.#busy$;
  }

  /** Runs the task. Fails with `whenBusy` while another one runs, and for 500 ms after one with the same `key`. */
  run<E, A>(task: TaskEither<E, A>, whenBusy: E, key = ""): TaskEither<E, A> {
    return deferTask(() => {
      if (this.#busy$.value && key === this.#latestKey) return TE.left(whenBusy);
      const start = deferTask(() => {
        this.#release.unsubscribe();
        this.#latestKey = key;
        this.#busy$.set(true);
        return task;
      });
      return this.#exclusive.run(
        pipe(
          start,
          onEnd(() => this.#keepBusy()),
        ),
        whenBusy,
      );
    });
  }

  #keepBusy(): void {
    this.#release = this.#scheduler.schedule(() => this.#busy$.set(false), repeatGuardMs);
  }
}

/** Runs one task at a time. */
export interface Exclusive {
  /** Runs the task; fails with `whenBusy` while another one runs. */
  readonly run: <E, A>(task: TaskEither<E, A>, whenBusy: E) => TaskEither<E, A>;
  /** Stops waiting for the task that runs, so that the next one is accepted. */
  readonly release: () => void;
}

/** Creates an exclusive that runs nothing. */
export const createExclusive = (): Exclusive => {
  let running: object | null = null;
  const end = (task: object): void => {
    if (running === task) running = null;
  };
  return {
    run: (task, whenBusy) =>
      deferTask(() => {
        if (running !== null) return TE.left(whenBusy);
        const thisRun = {};
        running = thisRun;
        return pipe(
          task,
          onEnd(() => end(thisRun)),
        );
      }),
    release: () => {
      running = null;
    },
  };
};
