import { type Mask, statisticsOf } from "../../core/masks/mask.ts";
import { type MaskStatistics, noStatistics } from "../../core/masks/maskStatistics.ts";
import { nameOf } from "./maskDialog.ts";

const mostNamed = 3;

const counted = (mask: Mask): string => {
  const { totalReceived, totalForwarded, spamBlocked } = statisticsOf(mask);
  return `${nameOf(mask)}: ${totalReceived} received, ${totalForwarded} forwarded, ${spamBlocked} blocked.`;
};

const hasMoved = (before: MaskStatistics, now: MaskStatistics): boolean =>
  before.totalReceived !== now.totalReceived ||
  before.totalForwarded !== now.totalForwarded ||
  before.spamBlocked !== now.spamBlocked ||
  before.totalSent !== now.totalSent;

/**
 * What the counts did between two moments, in a sentence or two; empty when they stood still. A mask that was not
 * there before has counted from nothing.
 */
export const newsOf = (before: readonly Mask[], now: readonly Mask[]): string => {
  const earlier = new Map(before.map((mask) => [mask.id, statisticsOf(mask)]));
  const moved = now.filter((mask) => hasMoved(earlier.get(mask.id) ?? noStatistics, statisticsOf(mask)));
  if (moved.length > mostNamed) return `${moved.length} masks have new mail.`;
  return moved.map(counted).join(" ");
};
