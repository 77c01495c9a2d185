import { minuteMs } from "../../core/kernel/durations.ts";
import type { Clock } from "../../core/ports/clock.ts";
import { messagesPerMinute } from "../../core/realtime/limits.ts";
import { messagesPassedOver } from "./socketLimits.ts";

/**
 * Judges one message more of a socket (RT9, D19): 100 in a minute are taken, the next 100 are passed over, and then it
 * is enough. The minute begins with the first message after the one before is over.
 */
export const makePace = (clock: Pick<Clock, "now">): (() => "taken" | "passed over" | "enough") => {
  let began = Number.NEGATIVE_INFINITY;
  let heard = 0;
  return () => {
    const now = clock.now();
    if (now >= began + minuteMs) {
      began = now;
      heard = 0;
    }
    heard += 1;
    if (heard <= messagesPerMinute) return "taken";
    return heard <= messagesPerMinute + messagesPassedOver ? "passed over" : "enough";
  };
};
