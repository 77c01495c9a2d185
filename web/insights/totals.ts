import { type Mask, statisticsOf } from "../../core/masks/mask.ts";

/** The counters of several masks together. */
interface Totals {
  readonly received: number;
  readonly forwarded: number;
  readonly blocked: number;
}

export const totalsOf = (masks: readonly Mask[]): Totals =>
  masks.map(statisticsOf).reduce(
    (sum, { totalReceived, totalForwarded, spamBlocked }) => ({
      received: sum.received + totalReceived,
      forwarded: sum.forwarded + totalForwarded,
      blocked: sum.blocked + spamBlocked,
    }),
    { received: 0, forwarded: 0, blocked: 0 },
  );
