import { dayMs, hourMs, minuteMs } from "../../core/kernel/durations.ts";

const months = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
] as const;

/** Formats a date in the local time zone as Intl does in English, whose first format takes as long as drawing the list. */
const formatDate = (date: Date, monthLength?: number): string =>
  Number.isNaN(date.getTime())
    ? "Not available"
    : `${months[date.getMonth()]?.slice(0, monthLength)} ${date.getDate()}, ${date.getFullYear()}`;

const shortMonth = 3;
const mediumDate = (date: Date): string => formatDate(date, shortMonth);
const dateOf = (iso: string | undefined): Date => new Date(iso ?? Number.NaN);

/** Formats an ISO date as "Nov 20, 2026" in the local time zone; "Not available" for an invalid or missing date (MA4). */
export const shortDate = (iso: string | undefined): string => mediumDate(dateOf(iso));

/** Formats an ISO date as "November 20, 2026" in the local time zone; "Not available" for an invalid or missing date (AC3). */
export const longDate = (iso: string | undefined): string => formatDate(dateOf(iso));

const dayParts = {
  short: { month: "short", day: "numeric" },
  long: { weekday: "long", month: "long", day: "numeric" },
} as const;

/** Formats a day such as "2026-11-20", which begins at midnight UTC, as "Nov 20" or "Friday, November 20". */
export const dayText = (day: string, length: "short" | "long"): string =>
  new Intl.DateTimeFormat("en", { ...dayParts[length], timeZone: "UTC" }).format(Date.parse(day));

const timeFormats = new Map<"medium" | "short", Intl.DateTimeFormat>();

const formatTime = (ms: number, timeStyle: "medium" | "short"): string => {
  const format = timeFormats.get(timeStyle) ?? new Intl.DateTimeFormat("en", { timeStyle });
  timeFormats.set(timeStyle, format);
  return format.format(ms);
};

const justNow = "Just now";

const countAgo = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? "" : "s"} ago`;

/** Formats milliseconds since 1970 as "2:05:03 PM" in the local time zone. */
export const clockTime = (ms: number): string => formatTime(ms, "medium");

/** Formats milliseconds since 1970 as "Nov 20, 2026, 2:05:03 PM" in the local time zone. */
export const exactTime = (ms: number): string => `${mediumDate(new Date(ms))}, ${formatTime(ms, "medium")}`;

/** Formats a time relative to `now`: "Just now", "5 minutes ago", "3 hours ago"; from 12 hours on the date and time. */
export const relativeTime = (ms: number, now: number): string => {
  const elapsedMs = now - ms;
  if (elapsedMs < minuteMs) return justNow;
  if (elapsedMs < hourMs) return countAgo(Math.floor(elapsedMs / minuteMs), "minute");
  if (elapsedMs < 12 * hourMs) return countAgo(Math.floor(elapsedMs / hourMs), "hour");
  return `${mediumDate(new Date(ms))}, ${formatTime(ms, "short")}`;
};

/** From this number of days on, the date says more. */
const maxDaysAgo = 30;

/** Formats a time by its distance in whole units: "Just now", "5 minutes ago", "3 days ago"; from 30 days on the date. */
export const timeAgo = (ms: number, now: number): string => {
  const elapsedMs = now - ms;
  if (elapsedMs < 12 * hourMs) return relativeTime(ms, now);
  if (elapsedMs < dayMs) return countAgo(Math.floor(elapsedMs / hourMs), "hour");
  const days = Math.floor(elapsedMs / dayMs);
  return days < maxDaysAgo ? countAgo(days, "day") : mediumDate(new Date(ms));
};

/** The same for the middle of a sentence: "just now" instead of "Just now". */
export const relativeTimeInSentence = (ms: number, now: number): string => {
  const text = relativeTime(ms, now);
  return text === justNow ? text.toLowerCase() : text;
};

/** The local time zone by its IANA name: "Europe/Vienna". */
export const localTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

let knownTimeZones: readonly string[] | undefined;

/** The names of all time zones that the browser knows, and UTC. */
export const timeZones = (): readonly string[] => {
  knownTimeZones ??= [...new Set(["UTC", ...Intl.supportedValuesOf("timeZone")])];
  return knownTimeZones;
};
