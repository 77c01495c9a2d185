import { dayMs, hourMs, minuteMs } from "../../../core/kernel/durations.ts";
import type { DeferralReason } from "../../../core/operator/providerAnswer.ts";

/** The meaning of a large provider's answer against this server. */
export interface ReadAnswer {
  readonly reason: DeferralReason;
  /** True if no mail should be sent to the provider for a while. */
  readonly asksForPause: boolean;
  /** The time that it asks to wait, in milliseconds; null when it does not say. */
  readonly waitMs: number | null;
}

interface Pattern {
  readonly reason: DeferralReason;
  /** True if the provider is left alone for a while. */
  readonly pauses: boolean;
  readonly pattern: RegExp;
}

/** The answers about one mailbox, which say nothing about this server. */
const aboutMailbox =
  /over ?quota|out of storage|mailbox (?:is )?full|quota exceeded|user you are trying to contact|recipient(?:'s)? (?:mailbox )?(?:is )?receiv|\b[45]\.2\.[0-9]\b|\b[45]\.1\.[0-9]{1,2}\b/i;

/** In the order in which they are tried; those that name a cause go before those that name a consequence. */
const patterns: readonly Pattern[] = [
  {
    reason: "reverseName",
    pauses: false,
    pattern: /\b[45]\.7\.25\b|\bPTR\b|reverse (?:dns|name|lookup)|rdns/i,
  },
  {
    reason: "authentication",
    pauses: false,
    pattern:
      /\b[45]\.7\.(?:26|27|30|32|23|40|515)\b|unauthenticated|\bSPF\b.*\bfail|DKIM.*\b(?:fail|did not pass)/i,
  },
  {
    reason: "tls",
    pauses: false,
    pattern: /\b[45]\.7\.29\b|without TLS|TLS (?:is )?required|must issue a STARTTLS/i,
  },
  {
    reason: "greylisting",
    pauses: false,
    pattern: /gr[ea]y-?list/i,
  },
  {
    reason: "complaints",
    pauses: true,
    pattern: /\[?TSS0[1-9]\]?|\[?TS0[1-9]\]?|user complaints|unexpected volume|complaint rate/i,
  },
  {
    reason: "listed",
    pauses: false,
    pattern:
      /spamhaus|spamcop|barracuda(?:central|networks)|block ?list|black ?list|\bDNSBL\b|\bRBL\b|\(S3140\)|\(S3150\)/i,
  },
  {
    reason: "reputation",
    pauses: true,
    pattern: /\b4\.7\.65\d\b|reputation|\(S775\)|\(S3114\)|likely (?:unsolicited|suspicious)|4\.16\.5[0-9]/i,
  },
  {
    reason: "volume",
    pauses: true,
    pattern:
      /\b4\.7\.28\b|unusual(?:ly)? (?:high )?(?:rate|volume|traffic)|rate[- ]?limit|too many (?:mails|messages|emails|recipients)|exceed(?:ed|s)? (?:the |its |your )?(?:rate|quota|limit)|throttl|too much mail|sending (?:too fast|rate)|\(?RL0\d{5}\)?/i,
  },
  {
    reason: "busy",
    pauses: true,
    pattern:
      /\b4\.7\.500\b|server (?:is )?busy|too many (?:concurrent |simultaneous )?(?:connections|sessions)|connection (?:rate|limit)|temporarily (?:deferred|unavailable)|service (?:is )?(?:not available|unavailable)|system load|try (?:again|later)|retry (?:in|after|later)/i,
  },
];

const units: readonly (readonly [RegExp, number])[] = [
  [/^h/i, hourMs],
  [/^m/i, minuteMs],
  [/^s/i, 1_000],
];
const maxReadLength = 200;
const shortestMs = 10_000;
const longestMs = dayMs;

/** Returns the time that an answer names ("in 5 minutes", "after 300 seconds"), within 10 seconds and a day; or null. */
export const readWait = (answer: string): number | null => {
  const [, digits, unit = ""] =
    /\b(?:in|after|for|within|wait)\s{1,3}(?:about |at least |another )?(\d{1,6})\s{0,3}(h(?:ours?|rs?)?|m(?:in(?:ute)?s?)?|s(?:ec(?:ond)?s?)?)\b/i.exec(
      answer,
    ) ?? [];
  if (digits === undefined) return null;
  const ms = units.find(([pattern]) => pattern.test(unit))?.[1] ?? 1_000;
  return Math.min(longestMs, Math.max(shortestMs, Number(digits) * ms));
};

/**
 * Reads an answer to an attempt, as it is stored: one line of at most 200 characters. Returns null for an answer that
 * says nothing about this server: about a mailbox, a mail or a connection that failed.
 */
export const readAnswer = (stored: string): ReadAnswer | null => {
  const answer = stored.slice(0, maxReadLength);
  const code = /^([45])\d\d(?=[ -])/.exec(answer)?.[1];
  if (code === undefined) return null;
  if (aboutMailbox.test(answer)) return null;
  const isTemporary = /^(?:421|45[0-2])/.test(answer);
  const found = patterns.find(({ pattern }) => pattern.test(answer));
  const waitMs = isTemporary ? readWait(answer) : null;
  if (found)
    return {
      reason: found.reason,
      asksForPause: isTemporary && (found.pauses || (waitMs !== null && found.reason !== "greylisting")),
      waitMs,
    };
  if (isTemporary && waitMs !== null) return { reason: "volume", asksForPause: true, waitMs };
  // A policy (x.7.x), or the end of the connection before any mail: about this server, and no more is known.
  return /^(?:421\b|[45]\d\d[ -][45]\.7\.\d)/.test(answer)
    ? { reason: "other", asksForPause: answer.startsWith("421"), waitMs: null }
    : null;
};
