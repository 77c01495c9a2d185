import * as E from "fp-ts/lib/Either.js";
import * as t from "io-ts";
import { refined } from "../../api/textCodecs.ts";

const clockTime = /^(?:[01]\d|2[0-3]):[0-5]\d$/;

const isClockTime = (text: string): boolean => clockTime.test(text);

/** A part of the day in a time zone. A range from 22:00 to 06:00 spans midnight; equal times mean the whole day. */
export interface TimeRange {
  /** "HH:MM", the first minute inside. */
  readonly startTime: string;
  /** "HH:MM", the first minute outside. */
  readonly endTime: string;
  /** A name from the IANA time zone database. */
  readonly timeZone: string;
}

/** The message for an unknown time zone. */
export const timeZoneNeeded = "Choose a time zone from the list, such as Europe/Paris";

/** The initial range of `during` in the editor (RU5). */
export const officeHours = { startTime: "09:00", endTime: "17:00" } as const;

/** Returns the minute of the day, 0 to 1,439, at a time in milliseconds since 1970. */
export type MinuteOfDay = (now: number) => number;

/**
 * Returns the function that reads the minute of the day in a time zone; left when the zone is unknown. Creating it
 * costs about a thousand times as much as calling it.
 */
export const minuteOfDayIn = (timeZone: string): E.Either<string, MinuteOfDay> =>
  E.tryCatch(
    () => {
      const format = new Intl.DateTimeFormat("en-GB", {
        timeZone,
        hour: "2-digit",
        minute: "2-digit",
        hourCycle: "h23",
      });
      return (now) => {
        const shown = format.format(now);
        return Number(shown.slice(0, 2)) * 60 + Number(shown.slice(3, 5));
      };
    },
    () => timeZoneNeeded,
  );

export const TimeRange: t.Type<TimeRange, TimeRange, unknown> = refined(
  refined(
    t.strict({ startTime: t.string, endTime: t.string, timeZone: t.string }),
    ({ startTime, endTime }) => isClockTime(startTime) && isClockTime(endTime),
    "Enter both times as hours and minutes, such as 09:00",
  ),
  ({ timeZone }) => E.isRight(minuteOfDayIn(timeZone)),
  timeZoneNeeded,
);

/** Returns the minute of the day of a time as "HH:MM". */
export const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));

/** Creates the test whether a minute of the day lies in the range; create it once and call it often. */
export const createTimeMatcher = ({ startTime, endTime }: TimeRange): ((minute: number) => boolean) => {
  const start = minutesOf(startTime);
  const end = minutesOf(endTime);
  if (start < end) return (minute) => minute >= start && minute < end;
  return (minute) => minute >= start || minute < end;
};
