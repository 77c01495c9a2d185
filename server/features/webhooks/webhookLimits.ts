import { hourMs, minuteMs } from "../../../core/kernel/durations.ts";
import { retriedForHours } from "../../../core/webhooks/webhookEndpoints.ts";

/** Requests of a process at the same time: in all, for one user, and to one host. */
export interface WebhookPlaces {
  readonly total: number;
  readonly user: number;
  readonly host: number;
}

export const allPlaces: WebhookPlaces = { total: 64, user: 4, host: 4 };

/** Those of webhooks whose last request was not answered promptly, or that were sent none lately. */
export const unprovenPlaces: WebhookPlaces = { total: 32, user: 2, host: 2 };

/** The time within which an answer is prompt. */
export const promptWithinMs = 3_000;

/** The most webhooks that are known to answer promptly; those used least recently are forgotten. */
export const maxPromptWebhooks = 10_000;

export const retriedForMs = retriedForHours * hourMs;

/** The most messages that wait for one webhook; the oldest are given up. */
export const maxWaiting = 5_000;

/** The most characters that are kept of an answer. */
export const maxAnswer = 200;

/** Refused mail costs its sender nothing, so no more of it is announced to a user in an hour, by one process: in all, and of one network. */
export const refusalsPerHour = { most: 100, ofNetwork: 25 } as const;

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
