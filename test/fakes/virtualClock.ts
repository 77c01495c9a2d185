import { setImmediate } from "node:timers/promises";
import { VirtualTimeScheduler } from "rxjs";
import type { Clock } from "../../core/ports/clock.ts";

/** A Friday morning, when nothing in particular begins or ends. */
export const startsAt = Date.UTC(2026, 10, 20, 9, 0, 0);

export interface VirtualClock extends Clock {
  /** Lets this much time pass: everything due happens in its order, and what it promises is kept in between. */
  readonly advance: (ms: number) => Promise<void>;
  /** How many things will happen within this time, as far as is known now. */
  readonly dueWithin: (ms: number) => number;
}

/** Lets every promise that can be kept without time passing be kept. */
export const settled = async (): Promise<void> => {
  await setImmediate();
  await setImmediate();
};

/** Time that passes when the test says so. */
export const createVirtualClock = (): VirtualClock => {
  const scheduler = new VirtualTimeScheduler();
  const nextDue = (): number => scheduler.actions[0]?.delay ?? Number.POSITIVE_INFINITY;
  return {
    now: () => startsAt + scheduler.frame,
    scheduler,
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
