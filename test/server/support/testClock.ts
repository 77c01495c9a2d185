import { asyncScheduler, type SchedulerLike } from "rxjs";
import type { Clock } from "../../../core/ports/clock.ts";

/** System time that a test can advance. */
export interface TestClock extends Clock {
  readonly advance: (ms: number) => void;
}

/**
 * Creates a clock; with a virtual scheduler the test also controls when timers run. One that stands shows what the test
 * advances alone, however long the test takes.
 */
export const createTestClock = (
  scheduler: SchedulerLike = asyncScheduler,
  { stands = false } = {},
): TestClock => {
  const began = Date.now();
  let ahead = 0;
  return {
    now: () => (stands ? began : Date.now()) + ahead,
    scheduler,
    advance: (ms) => {
      ahead += ms;
    },
  };
};
