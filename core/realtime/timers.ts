import { Subscription } from "rxjs";
import type { Clock } from "../ports/clock.ts";

/** Named timers, each running once at most. */
export interface Timers<Name extends string> {
  readonly start: (name: Name, afterMs: number) => void;
  readonly stop: (name: Name | "all") => void;
}

/**
 * A timer that comes this much too late was asleep with its device. Less says nothing: browsers let the timers of a
 * hidden page wait for up to a minute.
 */
const sleptMs = 90_000;

export const makeTimers = <Name extends string>(
  clock: Clock,
  told: { readonly due: (name: Name) => void; readonly slept: () => void },
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
          if (clock.now() - dueAt > sleptMs) told.slept();
          else told.due(name);
        }, afterMs),
      );
    },
    stop: (name) => (name === "all" ? [...running.keys()].forEach(stop) : stop(name)),
  };
};
