import * as E from "fp-ts/lib/Either.js";
import * as t from "io-ts";
import { such } from "../contract/text.ts";

const clockTime = /^(?:[01]\d|2[0-3]):[0-5]\d$/;

const isClockTime = (text: string): boolean => clockTime.test(text);

/** A part of the day, on the clocks of a place. From 22:00 to 06:00 passes midnight; equal times mean the whole day. */
export interface TimeRange {
  /** "HH:MM", the first minute inside. */
  readonly startTime: string;
  /** "HH:MM", the first minute outside. */
  readonly endTime: string;
  /** A name of the IANA time zone database. */
  readonly timeZone: string;
}

/** What `during` begins with in the editor (RU5). */
export const officeHours = { startTime: "09:00", endTime: "17:00" } as const;

/** Tells the minute of the day, 0 to 1,439, that clocks show at a moment. */
export type MinuteOfDay = (now: number) => number;

/** The clocks of a zone; left when there is no such zone. Costs about a thousand times what asking them does. */
export const clocksOf = (timeZone: string): E.Either<string, MinuteOfDay> =>
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
    () => "Choose a time zone, such as Europe/Paris",
  );

export const TimeRange: t.Type<TimeRange, TimeRange, unknown> = such(
  such(
    t.strict({ startTime: t.string, endTime: t.string, timeZone: t.string }),
    ({ startTime, endTime }) => isClockTime(startTime) && isClockTime(endTime),
    "Enter both times as hours and minutes, such as 09:00",
  ),
  ({ timeZone }) => E.isRight(clocksOf(timeZone)),
  "Choose a time zone, such as Europe/Paris",
);

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));

/** Whether a minute of the day lies in the range; compute once, ask often. */
export const withinTimes = ({ startTime, endTime }: TimeRange): ((minute: number) => boolean) => {
  const start = minutesOf(startTime);
  const end = minutesOf(endTime);
  if (start < end) return (minute) => minute >= start && minute < end;
  return (minute) => minute >= start || minute < end;
};
