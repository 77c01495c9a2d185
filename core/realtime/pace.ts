import { minuteMs } from "../kernel/durations.ts";
import { messagesPerMinute } from "./limits.ts";

/** How many of the messages of a minute are kept for the connection itself: who this is, and heartbeats. */
const keptForItself = 10;

/** The times at which messages were sent within the last minute, the oldest first. */
export type Pace = readonly number[];

const recent = (pace: Pace, now: number): Pace => pace.filter((at) => at > now - minuteMs && at <= now);

/** How many messages may be sent now (RT9, D19). */
export const roomIn = (pace: Pace, now: number, forItself = false): number =>
  Math.max(0, messagesPerMinute - (forItself ? 0 : keptForItself) - recent(pace, now).length);

export const spent = (pace: Pace, now: number, count: number): Pace => [
  ...recent(pace, now),
  ...Array.from({ length: count }, () => now),
];

/** In how many milliseconds there is room for one message more, when there is none now. */
export const roomAfterMs = (pace: Pace, now: number): number => {
  const current = recent(pace, now);
  const leaving = current[current.length - (messagesPerMinute - keptForItself)];
  return leaving === undefined ? 0 : leaving + minuteMs - now;
};
