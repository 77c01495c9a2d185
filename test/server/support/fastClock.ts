import { asyncScheduler, type SchedulerAction, type SchedulerLike, type Subscription } from "rxjs";
import type { Clock } from "../../../core/ports/clock.ts";

/** Creates a clock that runs `times` as fast as real time, so that a wait of 2 s takes 2 s / `times`. */
export const createFastClock = (times: number): Clock => {
  const start = Date.now();
  const now = (): number => start + (Date.now() - start) * times;

  const schedule = <A>(
    work: (this: SchedulerAction<A>, state?: A) => void,
    delay = 0,
    state?: A,
  ): Subscription =>
    asyncScheduler.schedule(
      function (this: SchedulerAction<A>, current?: A) {
        const again: SchedulerAction<A> = Object.create(this, {
          schedule: { value: (next?: A, after = 0) => this.schedule(next, after / times) },
        });
        work.call(again, current);
      },
      delay / times,
      state,
    );
  const scheduler: SchedulerLike = { now, schedule };
  return { now, scheduler };
};
