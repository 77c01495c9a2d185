import { setTimeout as sleep } from "node:timers/promises";

/** Waits until a condition is true; fails with its description after `withinMs`. */
export const until = async (
  what: string,
  holds: () => boolean | Promise<boolean>,
  withinMs = 60_000,
): Promise<void> => {
  const end = performance.now() + withinMs;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`waited ${withinMs} ms in vain: ${what}`);
    await sleep(5);
  }
};
