import { hourMs, minuteMs } from "../../core/kernel/durations.ts";

const clock = new Intl.DateTimeFormat("en", { timeStyle: "medium" });
const short = new Intl.DateTimeFormat("en", { timeStyle: "short" });
const day = new Intl.DateTimeFormat("en", { dateStyle: "medium" });

const justNow = "Just now";

const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? "" : "s"} ago`;

/** "2:05:03 PM" in the reader's time zone. */
export const clockTime = (ms: number): string => clock.format(ms);

/** "Nov 20, 2026, 2:05:03 PM" in the reader's time zone: tells two of the same hour apart. */
export const exactMoment = (ms: number): string => `${day.format(ms)}, ${clock.format(ms)}`;

/** "Just now", "5 minutes ago", "3 hours ago", then the day and time: how long before `now` something was. */
export const momentAgo = (ms: number, now: number): string => {
  const ago = now - ms;
  if (ago < minuteMs) return justNow;
  if (ago < hourMs) return counted(Math.floor(ago / minuteMs), "minute");
  if (ago < 12 * hourMs) return counted(Math.floor(ago / hourMs), "hour");
  return `${day.format(ms)}, ${short.format(ms)}`;
};

/** The same within a sentence: "just now", "5 minutes ago", "Nov 20, 2026, 9:00 AM". */
export const momentAgoWithin = (ms: number, now: number): string => {
  const moment = momentAgo(ms, now);
  return moment === justNow ? moment.toLowerCase() : moment;
};
