import { useEffect, useRef, useState } from "react";
import { type Mask, statisticsOf } from "../../../../core/masks/mask.ts";
import { maskName } from "../../../../core/masks/maskListSettings.ts";
import { type MaskStatistics, noStatistics } from "../../../../core/masks/maskStatistics.ts";
import { useSignedIn } from "../../../react/useApp.ts";
import { useObservable } from "../../../react/useObservable.ts";

const maxNamed = 3;

const describeCounts = (mask: Mask): string => {
  const { totalReceived, totalForwarded, spamBlocked } = statisticsOf(mask);
  return `${maskName(mask)}: ${totalReceived} received, ${totalForwarded} forwarded, ${spamBlocked} blocked.`;
};

const hasChanged = (before: MaskStatistics, now: MaskStatistics): boolean =>
  before.totalReceived !== now.totalReceived ||
  before.totalForwarded !== now.totalForwarded ||
  before.spamBlocked !== now.spamBlocked ||
  before.totalSent !== now.totalSent;

/** Describes changed counts in a sentence or two, empty for none; a mask missing in `before` starts from zero. */
export const describeCountChanges = (before: readonly Mask[], now: readonly Mask[]): string => {
  const earlier = new Map(before.map((mask) => [mask.id, statisticsOf(mask)]));
  const changed = now.filter((mask) => hasChanged(earlier.get(mask.id) ?? noStatistics, statisticsOf(mask)));
  if (changed.length > maxNamed) return `${changed.length} masks have new mail.`;
  return changed.map(describeCounts).join(" ");
};

/** Milliseconds without a change after which changes are announced together. */
const quietForMs = 1_500;

/** Announces changed counts to screen readers, summed up instead of one by one (MA4). */
export const MaskAnnouncer = () => {
  const { masks } = useSignedIn();
  const { status, all } = useObservable(masks.view$);
  const [announcement, setAnnouncement] = useState("");
  const announced = useRef<readonly Mask[] | undefined>(undefined);

  useEffect(() => {
    if (status === "loading") return;
    if (announced.current === undefined) {
      announced.current = all;
      return;
    }
    const wait = setTimeout(() => {
      const sentence = describeCountChanges(announced.current ?? all, all);
      announced.current = all;
      if (sentence !== "") setAnnouncement(sentence);
    }, quietForMs);
    return () => clearTimeout(wait);
  }, [status, all]);

  return (
    <p role="status" className="visually-hidden">
      {announcement}
    </p>
  );
};
