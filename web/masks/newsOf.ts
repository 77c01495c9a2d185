import { type Mask, statisticsOf } from "../../core/masks/mask.ts";
import { nameOf } from "./maskDialog.ts";

const mostNamed = 3;

const counted = (mask: Mask): string => {
  const { totalReceived, totalForwarded, spamBlocked } = statisticsOf(mask);
  return `${nameOf(mask)}: ${totalReceived} received, ${totalForwarded} forwarded, ${spamBlocked} blocked.`;
};

const hasMoved = (before: Mask, now: Mask): boolean => {
  const [then, today] = [statisticsOf(before), statisticsOf(now)];
  return (
    then.totalReceived !== today.totalReceived ||
    then.totalForwarded !== today.totalForwarded ||
    then.spamBlocked !== today.spamBlocked ||
    then.totalSent !== today.totalSent
  );
};

/** What the counts did between two moments, in a sentence or two; empty when they stood still. */
export const newsOf = (before: readonly Mask[], now: readonly Mask[]): string => {
  const earlier = new Map(before.map((mask) => [mask.id, mask]));
  const moved = now.filter((mask) => {
    const then = earlier.get(mask.id);
    return then !== undefined && hasMoved(then, mask);
  });
  if (moved.length > mostNamed) return `${moved.length} masks have new mail.`;
  return moved.map(counted).join(" ");
};
