import { dayOf } from "../../../core/kernel/calendarDay.ts";
import { dayMs } from "../../../core/kernel/durations.ts";
import { monthOf } from "../../delivery/usageQueries.ts";

const chartDays = 31;

/** Counts are kept by day for plans with up to 31 days of history, otherwise by month. */
const countsByDay = (historyMs: number | null): boolean => historyMs !== null && historyMs <= 31 * dayMs;

/** Returns the period that current mail is counted in; a history of null is kept forever. */
export const periodOf = (historyMs: number | null, now: number): string =>
  countsByDay(historyMs) ? dayOf(now) : monthOf(now);

/** Returns the first day and month that lie entirely within the last `ms`. */
export const oldestPeriodWithin = (
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

/** Returns the day on which figures read from `oldest` begin, for a plan with this history. */
export const firstFigureDay = (
  historyMs: number | null,
  oldest: { readonly day: string; readonly month: string },
): string => (countsByDay(historyMs) ? oldest.day : `${oldest.month}-01`);

/** Returns the first day of the chart for a plan with this history (null: forever). */
export const firstChartDay = (ms: number | null, now: number): string => {
  const chart = dayOf(now - (chartDays - 1) * dayMs);
  const { day } = oldestPeriodWithin(ms, now);
  return chart > day ? chart : day;
};

/** Returns the first moment of a day or month, in ISO 8601. */
export const startOfPeriod = (period: string): string =>
  `${period.length === 7 ? `${period}-01` : period}T00:00:00.000Z`;
