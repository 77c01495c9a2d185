import { dayMs, hourMs, minuteMs } from "../../core/kernel/durations.ts";
import { type RegionalEnglish, regionalEnglish } from "../../core/kernel/regionalEnglish.ts";

const dayParts = {
  short: { month: "short", day: "numeric" },
  long: { weekday: "long", month: "long", day: "numeric" },
} as const;

type TimeUnit = "minute" | "hour" | "day";

const unitText = (count: number, unit: TimeUnit): string => `${count} ${unit}${count === 1 ? "" : "s"}`;

/** The formats of dates and times. */
interface DateTexts {
  readonly short: (date: Date | number) => string;
  readonly long: (date: Date | number) => string;
  readonly day: (isoDay: string, length: "short" | "long") => string;
  readonly time: (ms: number, timeStyle: "medium" | "short") => string;
  readonly longTime: (ms: number) => string;
  readonly ago: (count: number, unit: TimeUnit) => string;
}

/** Creates the formats of a locale's region and a time zone, those of the browser where left out; each is made when it is first used. */
export const createDateTexts = (locale?: string, timeZone?: string): DateTexts => {
  const formats = new Map<string, Intl.DateTimeFormat>();
  let english: RegionalEnglish | undefined;
  const format = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat => {
    const key = JSON.stringify(options);
    english ??= regionalEnglish(locale);
    const { hourCycle } = english;
    const known =
      formats.get(key) ?? new Intl.DateTimeFormat(english.locale, { timeZone, hourCycle, ...options });
    formats.set(key, known);
    return known;
  };
  return {
    short: (date) => format({ dateStyle: "medium" }).format(date),
    long: (date) => format({ dateStyle: "long" }).format(date),
    day: (isoDay, length) => format({ ...dayParts[length], timeZone: "UTC" }).format(Date.parse(isoDay)),
    time: (ms, timeStyle) => format({ timeStyle }).format(ms),
    longTime: (ms) => format({ dateStyle: "long", timeStyle: "short" }).format(ms),
    ago: (count, unit) => `${unitText(count, unit)} ago`,
  };
};

const texts = createDateTexts();
const mediumDate = texts.short;
const formatTime = texts.time;

const orNotAvailable = (iso: string | undefined, format: (date: Date) => string): string => {
  const date = new Date(iso ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? "Not available" : format(date);
};

/** Formats an ISO date as "Nov 20, 2026", or in the order of the browser's region, in the local time zone; "Not available" for an invalid or missing date (MA4). */
export const shortDate = (iso: string | undefined): string => orNotAvailable(iso, texts.short);

/** Formats an ISO date as "November 20, 2026" or in the order of the region; "Not available" for an invalid or missing date (AC3). */
export const longDate = (iso: string | undefined): string => orNotAvailable(iso, texts.long);

/** Formats a calendar day such as "2026-11-20", which has no time zone, as "Nov 20" or "Friday, November 20". */
export const dayText = (isoDay: string, length: "short" | "long"): string => texts.day(isoDay, length);

/** Formats milliseconds since 1970 as "November 20, 2026 at 2:05 PM". */
export const longTime = (ms: number): string => texts.longTime(ms);

const justNow = "Just now";

/** Formats milliseconds since 1970 as "2:05:03 PM", or by the clock of the region, in the local time zone. */
export const clockTime = (ms: number): string => formatTime(ms, "medium");

/** Formats milliseconds since 1970 as "2:05 PM" in the local time zone. */
export const shortClockTime = (ms: number): string => formatTime(ms, "short");

/** Formats milliseconds since 1970 as "Nov 20, 2026, 2:05:03 PM" in the local time zone. */
export const exactTime = (ms: number): string => `${mediumDate(ms)}, ${formatTime(ms, "medium")}`;

/** Formats a time relative to `now`: "Just now", "5 minutes ago", "3 hours ago"; from 12 hours on the date and time. */
export const relativeTime = (ms: number, now: number): string => {
  const elapsedMs = now - ms;
  if (elapsedMs < minuteMs) return justNow;
  if (elapsedMs < hourMs) return texts.ago(Math.floor(elapsedMs / minuteMs), "minute");
  if (elapsedMs < 12 * hourMs) return texts.ago(Math.floor(elapsedMs / hourMs), "hour");
  return `${mediumDate(ms)}, ${formatTime(ms, "short")}`;
};

/** From this number of days on, the date says more. */
const maxDaysAgo = 30;

/** Formats a time by its distance in whole units: "Just now", "5 minutes ago", "3 days ago"; from 30 days on the date. */
export const timeAgo = (ms: number, now: number): string => {
  const elapsedMs = now - ms;
  if (elapsedMs < 12 * hourMs) return relativeTime(ms, now);
  if (elapsedMs < dayMs) return texts.ago(Math.floor(elapsedMs / hourMs), "hour");
  const days = Math.floor(elapsedMs / dayMs);
  return days < maxDaysAgo ? texts.ago(days, "day") : mediumDate(ms);
};

const inSentence = (text: string): string => (text === justNow ? text.toLowerCase() : text);

/** Formats as `relativeTime` does, for the middle of a sentence: "just now" instead of "Just now". */
export const relativeTimeInSentence = (ms: number, now: number): string => inSentence(relativeTime(ms, now));

/** Formats as `timeAgo` does, for the middle of a sentence. */
export const timeAgoInSentence = (ms: number, now: number): string => inSentence(timeAgo(ms, now));

/** Formats how long something lasts in whole units: "1 minute", "3 hours", "2 days". */
export const durationText = (ms: number): string => {
  const [unitMs, unit] = (
    [
      [dayMs, "day"],
      [hourMs, "hour"],
    ] as const
  ).find(([least]) => ms >= least) ?? [minuteMs, "minute"];
  const count = Math.max(1, Math.floor(ms / unitMs));
  return unitText(count, unit);
};

/** The local time zone by its IANA name: "Europe/Vienna". */
export const localTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

let knownTimeZones: readonly string[] | undefined;

/** The names of all time zones that the browser knows, and UTC. */
export const timeZones = (): readonly string[] => {
  knownTimeZones ??= [...new Set(["UTC", ...Intl.supportedValuesOf("timeZone")])];
  return knownTimeZones;
};
