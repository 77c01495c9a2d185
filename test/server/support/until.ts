import { setTimeout as sleep } from "node:timers/promises";
import type { VirtualClock } from "../../fakes/virtualClock.ts";

/**
 * Waits until a condition is true; fails with its description when it is not after `withinMs`. The last look begins then,
 * however long the looks before it took.
 */
export const until = async (
  what: string | (() => string),
  holds: () => boolean | Promise<boolean>,
  withinMs = 60_000,
): Promise<void> => {
  const end = performance.now() + withinMs;
  for (;;) {
    const isLast = performance.now() > end;
    if (await holds()) return;
    if (isLast) throw new Error(`waited ${withinMs} ms in vain: ${typeof what === "string" ? what : what()}`);
    await sleep(5);
  }
};

/**
 * Creates an `until` that lets virtual time pass while it waits, by `stepMs` with each look: as little on a busy machine
 * as on a quick one for the same work.
 */
export const untilBy =
  (clock: Pick<VirtualClock, "advance">, stepMs: number): typeof until =>
  (what, holds, withinMs) =>
    until(
      what,
      async () => {
        await clock.advance(stepMs);
        return holds();
      },
      withinMs,
    );
