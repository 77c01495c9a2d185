import { dayMs } from "../../core/kernel/durations.ts";
import { monthOf } from "../store/usage.ts";

/** For how many days the flow of mail is known day by day. */
const chartDays = 31;

/** The calendar day in UTC of that moment: "2026-11-20". */
export const dayOf = (now: number): string => new Date(now).toISOString().slice(0, 10);

/** Whether figures are kept by the day: under a plan that keeps less than a few months, else by the month. */
const countsByDay = (historyMs: number | null): boolean => historyMs !== null && historyMs <= 31 * dayMs;

/** What figures of now are counted under, where a plan keeps history for so long (null: for ever). */
export const periodOf = (historyMs: number | null, now: number): string =>
  countsByDay(historyMs) ? dayOf(now) : monthOf(now);

/** The first day and the first month that lie wholly within the last `ms`; earlier ones are history no more. */
export const oldestWithin = (
  ms: number | null,
  now: number,
): { readonly day: string; readonly month: string } => {
  if (ms === null) return { day: "", month: "" };
  const cutoff = now - ms;
  const before = dayOf(cutoff);
  const isMidnight = cutoff % dayMs === 0;
  const day = isMidnight ? before : dayOf(cutoff + dayMs);
  const [year = 0, month = 1] = before.split("-").map(Number);
  const isFirst = isMidnight && before.endsWith("-01");
  return { day, month: isFirst ? monthOf(cutoff) : monthOf(Date.UTC(year, month, 1)) };
};

/** The day on which figures begin that are read from `oldest` on, under a plan that keeps history for so long. */
export const firstDayOf = (
  historyMs: number | null,
  oldest: { readonly day: string; readonly month: string },
): string => (countsByDay(historyMs) ? oldest.day : `${oldest.month}-01`);

/** The first day of the chart under a plan that keeps history for so long (null: for ever). */
export const firstChartDay = (ms: number | null, now: number): string => {
  const [chart, { day }] = [dayOf(now - (chartDays - 1) * dayMs), oldestWithin(ms, now)];
  return chart > day ? chart : day;
};

/** The first moment of a day or a month, in ISO 8601. */
export const beginningOf = (period: string): string =>
  `${period.length === 7 ? `${period}-01` : period}T00:00:00.000Z`;
