import { Subscription } from "rxjs";
import type { Clock } from "../ports/clock.ts";

/** Named timers; each name runs at most once. */
export interface Timers<Name extends string> {
  readonly start: (name: Name, afterMs: number) => void;
  readonly stop: (name: Name | "all") => void;
}

/**
 * A timer that fires later than this, in milliseconds, means that the device slept. Browsers delay the timers
 * of hidden pages by up to a minute, so a shorter delay proves nothing.
 */
const sleepThresholdMs = 90_000;

export const createTimers = <Name extends string>(
  clock: Clock,
  callbacks: { readonly onDue: (name: Name) => void; readonly onSlept: () => void },
): Timers<Name> => {
  const running = new Map<Name, Subscription>();
  const stop = (name: Name): void => {
    running.get(name)?.unsubscribe();
    running.delete(name);
  };
  return {
    start: (name, afterMs) => {
      stop(name);
      const dueAt = clock.now() + afterMs;
      const timer = new Subscription();
      running.set(name, timer);
      timer.add(
        clock.scheduler.schedule(() => {
          running.delete(name);
          if (clock.now() - dueAt > sleepThresholdMs) callbacks.onSlept();
          else callbacks.onDue(name);
        }, afterMs),
      );
    },
    stop: (name) => (name === "all" ? [...running.keys()].forEach(stop) : stop(name)),
  };
};
