import { hourMs, minuteMs } from "../../../core/kernel/durations.ts";
import type { Clock } from "../../../core/ports/clock.ts";

/** Where a mail comes from, as far as it is known before its content. */
export interface MailOrigin {
  /** The registrable domain of the envelope sender; empty for the null sender. */
  readonly domain: string;
  /** The client's network, as limits count it. */
  readonly network: string;
}

/** How many mails one domain, and one network, may send to one account. */
export interface RateLimits {
  readonly perMinute: number;
  readonly perHour: number;
}

/** A mail that was counted before it arrived. */
export interface CountedMailTicket {
  /** Takes back a mail that is not stored; one whose content arrived still counts for its network. */
  readonly cancel: (hasArrived: boolean) => void;
}

/**
 * Limits how much one sender's domain and one network send to an account, and so to each of its masks. The
 * counts are this process's own and are lost when it ends.
 */
export interface SenderRates {
  /** Counts a mail; null when there have been too many. */
  readonly count: (userId: string, origin: MailOrigin) => CountedMailTicket | null;
}

const parts = 6;
const maxCounters = 20_000;

/** Counts what happened within a period, in parts of it; the oldest part is counted completely. */
interface Window {
  readonly partMs: number;
  readonly limit: number;
  /** One for each part of the period, and one for the current part. */
  readonly counts: number[];
  part: number;
  sum: number;
}

const createWindow = (lengthMs: number, limit: number): Window => ({
  partMs: lengthMs / parts,
  limit,
  counts: Array<number>(parts + 1).fill(0),
  part: 0,
  sum: 0,
});

/** Drops what is too old. A clock that was set back starts the window again. */
const advance = (window: Window, now: number): void => {
  const part = Math.floor(now / window.partMs);
  const steps =
    part < window.part ? window.counts.length : Math.min(part - window.part, window.counts.length);
  for (let step = 0; step < steps; step += 1) {
    const index = (part - step) % window.counts.length;
    window.sum -= window.counts[index] ?? 0;
    window.counts[index] = 0;
  }
  window.part = part;
};

const change = (window: Window, part: number, by: 1 | -1): void => {
  const index = part % window.counts.length;
  const count = window.counts[index] ?? 0;
  if (part > window.part || window.part - part >= window.counts.length || count + by < 0) return;
  window.counts[index] = count + by;
  window.sum += by;
};

type Counter = readonly Window[];

const isFull = (counter: Counter, now: number): boolean =>
  counter.some((window) => {
    advance(window, now);
    return window.sum >= window.limit;
  });

const add = (counter: Counter): (() => void) => {
  const added = counter.map((window) => ({ window, part: window.part }));
  for (const { window, part } of added) change(window, part, 1);
  return () => {
    for (const { window, part } of added) change(window, part, -1);
  };
};

/**
 * Creates the rates: never more than the limit in any minute or hour, whatever the number of connections. They
 * count at most 20,000 pairs of account and sender, and forget the least recent.
 */
export const createSenderRates = (
  { perMinute, perHour }: RateLimits,
  clock: Pick<Clock, "now">,
): SenderRates => {
  const counters = new Map<string, Counter>();

  const counterOf = (key: string): Counter => {
    const known = counters.get(key);
    const counter = known ?? [createWindow(minuteMs, perMinute), createWindow(hourMs, perHour)];
    if (known) counters.delete(key);
    counters.set(key, counter);
    if (counters.size > maxCounters) {
      const [oldest] = counters.keys();
      if (oldest !== undefined) counters.delete(oldest);
    }
    return counter;
  };

  return {
    count: (userId, { domain, network }) => {
      const now = clock.now();
      const ofNetwork = counterOf(`${userId} [${network}]`);
      const ofDomain = domain === "" ? [] : counterOf(`${userId} ${domain}`);
      if (isFull(ofNetwork, now) || isFull(ofDomain, now)) return null;
      const [removeNetwork, removeDomain] = [add(ofNetwork), add(ofDomain)];
      return {
        cancel: (hasArrived) => {
          removeDomain();
          if (!hasArrived) removeNetwork();
        },
      };
    },
  };
};
