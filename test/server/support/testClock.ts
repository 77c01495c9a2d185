import { asyncScheduler } from "rxjs";
import type { Clock } from "../../../core/ports/clock.ts";

/** The machine's time, which a test may move forward. */
export interface TestClock extends Clock {
  readonly advance: (ms: number) => void;
}

export const makeTestClock = (): TestClock => {
  let ahead = 0;
  return {
    now: () => Date.now() + ahead,
    scheduler: asyncScheduler,
    advance: (ms) => {
      ahead += ms;
    },
  };
};
