import { hourMs, minuteMs } from "../../../core/kernel/durations.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import type { Allowance } from "../../platform/rates/buckets.ts";
import type { Rates, TellOthers } from "../../platform/rates/rates.ts";
import { createRecentKeys } from "../../platform/rates/recentKeys.ts";
import { addToWindow, advanceWindow, createWindow, type Window } from "../../platform/rates/windows.ts";

/** The origin of a mail, as far as it is known before its content. */
export interface MailOrigin {
  /** The registrable domain of the envelope sender; empty for the null sender. */
  readonly domain: string;
  /** The client's network, as limits count it. */
  readonly network: string;
}

/** The number of mails that one domain, and one network, may send to one account. */
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
 * counts are lost when the process ends; other processes are told of them where rates are shared.
 */
export interface SenderRates {
  /** Counts a mail; null when there have been too many. */
  readonly count: (userId: string, origin: MailOrigin) => CountedMailTicket | null;
}

const parts = 6;
export const maxCounters = 20_000;

/** A window of an account and a sender, and what other processes are told of it. */
interface Limited {
  readonly window: Window;
  readonly allowance: Allowance;
  readonly tell: TellOthers;
}

const kindsOf = ({ perMinute, perHour }: RateLimits) =>
  [
    { name: "minute", lengthMs: minuteMs, limit: perMinute },
    { name: "hour", lengthMs: hourMs, limit: perHour },
  ] as const;

type Counter = readonly Limited[];

const isFull = (counter: Counter, now: number): boolean =>
  counter.some(({ window, allowance }) => {
    advanceWindow(window, now);
    return window.sum >= allowance.burst;
  });

/** Counts a mail; returns what takes it back. */
const add = (counter: Counter, key: string): (() => void) => {
  const added = counter.map((limited) => ({ ...limited, part: limited.window.part }));
  const change = (by: 1 | -1): void => {
    for (const { window, part, allowance, tell } of added) {
      addToWindow(window, by, part);
      tell(key, allowance, by);
    }
  };
  change(1);
  return () => change(-1);
};

/**
 * Creates the rates: never more than the limit in any minute or hour, whatever the number of connections, and with
 * the mails at other processes as far as they have told. They count
 * at most 20,000 pairs of account and sender, and forget the least recent.
 */
export const createSenderRates = (
  limits: RateLimits,
  clock: Pick<Clock, "now">,
  rates: Rates,
): SenderRates => {
  const counters = createRecentKeys<Counter>(maxCounters);
  const kinds = kindsOf(limits).map(({ name, lengthMs, limit }, n) => ({
    parts: { partMs: lengthMs / parts, parts: parts + 1 },
    allowance: { burst: limit, perSecond: limit / (lengthMs / 1_000) },
    tell: rates.tell(`senders of a ${name}`, maxCounters, (key, amount) => {
      const window = counters.find(key)?.[n]?.window;
      if (!window) return;
      advanceWindow(window, clock.now());
      addToWindow(window, amount);
    }),
  }));

  const counterOf = (key: string): Counter => {
    const known = counters.find(key);
    if (known) return known;
    const counter = kinds.map((kind) => ({ ...kind, window: createWindow(kind.parts) }));
    counters.set(key, counter);
    // What others have told of the key already is counted at once.
    for (const { tell, allowance } of counter) tell(key, allowance, 0);
    return counter;
  };

  return {
    count: (userId, { domain, network }) => {
      const now = clock.now();
      const networkKey = `${userId} [${network}]`;
      const domainKey = `${userId} ${domain}`;
      const ofNetwork = counterOf(networkKey);
      const ofDomain = domain === "" ? [] : counterOf(domainKey);
      if (isFull(ofNetwork, now) || isFull(ofDomain, now)) return null;
      const removeNetwork = add(ofNetwork, networkKey);
      const removeDomain = add(ofDomain, domainKey);
      return {
        cancel: (hasArrived) => {
          removeDomain();
          if (!hasArrived) removeNetwork();
        },
      };
    },
  };
};
