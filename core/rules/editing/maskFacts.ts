import { type Mask, statisticsOf } from "../../masks/mask.ts";
import { receivedThisMonth } from "../../masks/maskStatistics.ts";
import type { MaskFacts } from "../engine/facts.ts";

/** Returns what the relay would know of a mask at `now`, from what the server has sent of it. */
export const maskFacts = (mask: Mask, now: number): MaskFacts => {
  const statistics = statisticsOf(mask);
  return {
    maskEmail: mask.maskEmail,
    labels: mask.labels ?? [],
    forwardTo: mask.forwardTo,
    lastMailAt: statistics.lastUsed ? Date.parse(statistics.lastUsed) : null,
    receivedThisMonth: receivedThisMonth(statistics, now),
    received: statistics.totalReceived,
    forwarded: statistics.totalForwarded,
  };
};
