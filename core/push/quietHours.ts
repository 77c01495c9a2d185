import { isRight } from "fp-ts/lib/Either.js";
import { refined } from "../api/textCodecs.ts";
import { minuteMs } from "../kernel/durations.ts";
import { createTimeMatcher, minuteOfDayIn, minutesOf, TimeRange } from "../rules/model/timeRange.ts";

const minutesOfDay = 24 * 60;

/** The hours of each day in which a device shows nothing. */
export type QuietHours = TimeRange;
export const QuietHours = refined(
  TimeRange,
  ({ startTime, endTime }) => startTime !== endTime,
  "Quiet hours need an end that differs from their beginning",
);

/** The quiet hours that the page offers first. */
export const usualNight = { startTime: "22:00", endTime: "07:00" } as const;

/** Returns when the quiet hours that a moment is in end, in milliseconds since 1970; null outside of them. */
export const quietUntil = (hours: QuietHours, now: number): number | null => {
  const minuteOfDay = minuteOfDayIn(hours.timeZone);
  if (!isRight(minuteOfDay)) return null;
  const minute = minuteOfDay.right(now);
  if (!createTimeMatcher(hours)(minute)) return null;
  const left = (minutesOf(hours.endTime) - minute + minutesOfDay) % minutesOfDay;
  return now - (now % minuteMs) + left * minuteMs;
};
