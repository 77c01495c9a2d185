import { asyncScheduler, type SchedulerLike } from "rxjs";
import type { Clock } from "../../../core/ports/clock.ts";

/** System time that a test can advance. */
export interface TestClock extends Clock {
  readonly advance: (ms: number) => void;
}

/** Creates a clock; with a virtual scheduler the test also controls when timers run. */
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
