import { dayMs } from "../kernel/durations.ts";
import type { InsightsAnswer } from "./insightsAnswer.ts";

/** What came on one day, "2026-11-20" in UTC. */
export type DayFlow = NonNullable<InsightsAnswer["byDay"]>[number];

/**
 * The last `count` days up to the one of `now` (milliseconds since 1970), the oldest first; a day without mail is
 * there with zeros, a day before `since` (ISO 8601) is not, because nobody counted.
 */
export const lastDays = (
  byDay: readonly DayFlow[],
  count: number,
  now: number,
  since?: string,
): readonly DayFlow[] => {
  const known = new Map(byDay.map((day) => [day.day, day]));
  const first = since?.slice(0, 10) ?? "";
  return Array.from({ length: count }, (_, back) => new Date(now - (count - 1 - back) * dayMs))
    .map((date) => date.toISOString().slice(0, 10))
    .filter((day) => day >= first)
    .map((day) => known.get(day) ?? { day, received: 0, forwarded: 0, blocked: 0 });
};
