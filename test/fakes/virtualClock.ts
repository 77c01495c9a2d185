import { setImmediate } from "node:timers/promises";
import { VirtualTimeScheduler } from "rxjs";
import type { Clock } from "../../core/ports/clock.ts";

/** A Friday morning, far from the change of a day, month or year. */
export const startsAt = Date.UTC(2026, 10, 20, 9, 0, 0);

export interface VirtualClock extends Clock {
  /** Advances the time: runs due callbacks in order and settles promises in between. */
  readonly advance: (ms: number) => Promise<void>;
  /** Sets the time of day back; what is scheduled stays as far away as it was. */
  readonly setBack: (ms: number) => void;
  /** The number of callbacks that are currently scheduled within this time. */
  readonly dueWithin: (ms: number) => number;
}

/** Waits for all promises that settle without time passing. */
export const settled = async (): Promise<void> => {
  await setImmediate();
  await setImmediate();
};

/** A clock that the test advances, from a moment in milliseconds since 1970. */
export const createVirtualClock = (startedAt = startsAt): VirtualClock => {
  const scheduler = new VirtualTimeScheduler();
  let setBackBy = 0;
  const nextDue = (): number => scheduler.actions[0]?.delay ?? Number.POSITIVE_INFINITY;
  return {
    now: () => startedAt + scheduler.frame - setBackBy,
    scheduler,
    setBack: (ms) => {
      setBackBy += ms;
    },
    dueWithin: (ms) => scheduler.actions.filter(({ delay }) => delay <= scheduler.frame + ms).length,
    advance: async (ms) => {
      const end = scheduler.frame + ms;
      await settled();
      while (nextDue() <= end) {
        scheduler.maxFrames = nextDue();
        scheduler.flush();
        await settled();
      }
      scheduler.frame = end;
    },
  };
};
