import { regionalEnglish } from "./regionalEnglish.ts";

/** Returns the calendar day of a moment in UTC: "2026-11-20". */
export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/**
 * Returns the last day of what ends at a moment, in words: "Dec 24, 2026" for the midnight after it, in the English of the locale's
 * region. The locale and the time zone are those of the environment where left out.
 */
export const lastDayText = (end: number, locale?: string, timeZone?: string): string =>
  new Intl.DateTimeFormat(regionalEnglish(locale).locale, { dateStyle: "medium", timeZone }).format(end - 1);
