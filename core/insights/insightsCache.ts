import * as t from "io-ts";
import type { MaskId } from "../masks/mask.ts";
import type { Clock } from "../ports/clock.ts";
import { makeCache } from "../storage/cache.ts";
import { lifetimesMs } from "../storage/lifetimes.ts";
import type { Store } from "../storage/store.ts";
import { storedKeys } from "../storage/storedKeys.ts";
import { InsightsAnswer } from "./insightsAnswer.ts";

const KeptInsights = t.type({
  /** null: of all masks. */
  maskId: t.union([t.string, t.null]),
  /** Milliseconds since 1970. */
  askedAt: t.number,
  answer: InsightsAnswer,
});
type KeptInsights = t.TypeOf<typeof KeptInsights>;

/** Answers kept for the next time: of all masks, and of those looked at last. */
export interface InsightsCache {
  /** `fresh`: asked for in the last 600 s (A9). */
  readonly read: (
    owner: string,
    maskId: MaskId | null,
  ) => (KeptInsights & { readonly fresh: boolean }) | null;
  readonly write: (owner: string, kept: KeptInsights) => void;
}

/** How many answers are kept; of more, the one of the mask looked at longest ago is forgotten. */
const mostKept = 6;

export const makeInsightsCache = (store: Store, clock: Clock): InsightsCache => {
  const cache = makeCache(store, clock, storedKeys.cachedInsights, t.readonlyArray(KeptInsights));
  const all = (owner: string): readonly KeptInsights[] => cache.read(owner)?.value ?? [];
  return {
    read: (owner, maskId) => {
      const kept = all(owner).find((one) => one.maskId === maskId);
      if (kept === undefined) return null;
      const age = clock.now() - kept.askedAt;
      return { ...kept, fresh: age >= 0 && age < lifetimesMs.insights };
    },
    write: (owner, kept) => {
      const others = all(owner).filter(({ maskId }) => maskId !== kept.maskId);
      const ofAll = others.filter(({ maskId }) => maskId === null);
      const ofMasks = others.filter(({ maskId }) => maskId !== null);
      cache.write(owner, [kept, ...ofAll, ...ofMasks].slice(0, mostKept));
    },
  };
};
