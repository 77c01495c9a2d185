import { performance } from "node:perf_hooks";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { interval } from "rxjs";
import type { Clock } from "../../../core/ports/clock.ts";

/** The process, as far as giving back memory needs it. */
export interface MemoryProcess {
  /** Returns the share of the time since the last call in which the event loop had work, from 0 to 1. */
  readonly busyShare: () => number;
  /** Frees what is no longer used. */
  readonly collect: () => void;
}

const checkEveryMs = 5_000;
const busyAbove = 0.05;
/** The memory of a burst is free for the system only after it was seen unused more than once. */
const collectionsAfterWork = 3;

/**
 * Frees memory within 15 s after a busy time, such as the start or many large mails: an idle process allocates too
 * little to do that by itself. Returns the function that stops it.
 */
export const startIdleCollection = (
  { busyShare, collect }: MemoryProcess,
  clock: Pick<Clock, "scheduler">,
): (() => void) => {
  let left = collectionsAfterWork;
  const checks = interval(checkEveryMs, clock.scheduler).subscribe(() => {
    if (busyShare() > busyAbove) left = collectionsAfterWork;
    else if (left > 0) {
      left -= 1;
      collect();
    }
  });
  return () => checks.unsubscribe();
};

/** Returns this process. */
export const thisProcess = (): MemoryProcess => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  let last = performance.eventLoopUtilization();
  return {
    busyShare: () => {
      const now = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(now, last);
      last = now;
      return utilization;
    },
    collect,
  };
};
