import { hourMs, minuteMs } from "../../../../core/kernel/durations.ts";

/** The delays after the first attempt, the second one and so on; the last one is repeated. */
const delaysMs = [
  10_000,
  minuteMs,
  5 * minuteMs,
  15 * minuteMs,
  hourMs,
  2 * hourMs,
  4 * hourMs,
  6 * hourMs,
] as const;

/** Delays vary by a fifth, so that what failed together is not tried together. */
const jitter = 0.2;

/** The most that a receiver may ask to wait. */
const longestRetryAfterMs = 6 * hourMs;

const parseRetryAfter = (text: string, now: number): number => {
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  const at = Date.parse(text);
  return Number.isNaN(at) ? 0 : at - now;
};

/** Returns when a message is tried again after its n-th attempt; `fraction` is random, from 0 to 1. */
export const nextAttemptAt = (
  attempts: number,
  {
    now,
    fraction,
    retryAfter,
    giveUpAt,
  }: {
    readonly now: number;
    readonly fraction: number;
    /** The delay that the receiver asked for; null for none. */
    readonly retryAfter: string | null;
    readonly giveUpAt: number;
  },
): number => {
  const delay = delaysMs[Math.min(attempts, delaysMs.length) - 1] ?? 0;
  const own = delay * (1 - jitter + 2 * jitter * fraction);
  const asked = retryAfter === null ? 0 : Math.min(parseRetryAfter(retryAfter, now), longestRetryAfterMs);
  const at = now + Math.round(Math.max(own, asked));
  // The last attempt is at the end of the time, not before.
  return now < giveUpAt ? Math.min(at, giveUpAt) : at;
};
