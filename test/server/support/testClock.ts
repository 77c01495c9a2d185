import { asyncScheduler, type SchedulerLike } from "rxjs";
import type { Clock } from "../../../core/ports/clock.ts";

/** The machine's time, which a test may move forward. */
export interface TestClock extends Clock {
  readonly advance: (ms: number) => void;
}

/** With a scheduler of its own, what the server does by the clock happens when the test says so. */
export const createTestClock = (scheduler: SchedulerLike = asyncScheduler): TestClock => {
  let ahead = 0;
  return {
    now: () => Date.now() + ahead,
    scheduler,
    advance: (ms) => {
      ahead += ms;
    },
  };
};
