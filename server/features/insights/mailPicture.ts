import type { MaskSummary, SuggestionInput } from "../../../core/insights/suggest.ts";
import { dayMs } from "../../../core/kernel/durations.ts";
import { registrableDomain } from "../../platform/dns/registrableDomain.ts";
import type { Db } from "../../platform/store/database.ts";
import type { UserRow } from "../../platform/store/users.ts";
import { type FullMask, findMasks } from "../masks/maskQueries.ts";
import { type MaskTotal, readTotalsByMask } from "./countQueries.ts";
import { firstFigureDay, oldestPeriodWithin } from "./history.ts";

/** The period that suggestions consider; shorter on a plan with a shorter history. */
const lookBackMs = 90 * dayMs;

const promotionalCategories = new Set(["promotional", "newsletter"]);

const hasPromotionCondition = (rules: string): boolean => {
  const list = JSON.parse(rules) as readonly { readonly conditions?: readonly Record<string, unknown>[] }[];
  return list.some(({ conditions = [] }) =>
    conditions.some(
      ({ field, value }) =>
        field === "category" && [value].flat().some((one) => promotionalCategories.has(String(one))),
    ),
  );
};

const sumWhere = (totals: readonly MaskTotal[], isCounted: (total: MaskTotal) => boolean): number =>
  totals.filter(isCounted).reduce((all, { n }) => all + n, 0);

const toMaskPicture = (mask: FullMask, totals: readonly MaskTotal[]): MaskSummary => ({
  id: mask.id,
  description: mask.description,
  forwardTo: mask.forward_to,
  active: mask.active === 1,
  spamFilter: mask.spam_filter === 1,
  createdAt: mask.created_at,
  lastMailAt: mask.last_used_at,
  received: sumWhere(totals, ({ kind, key }) => kind === "flow" && key === "received"),
  promotions: sumWhere(totals, ({ kind, key }) => kind === "category" && promotionalCategories.has(key)),
  checked: sumWhere(totals, ({ kind, key }) => kind === "verdict" && key.startsWith("dmarc=")),
  dmarcFailed: sumWhere(totals, ({ kind, key }) => kind === "verdict" && key === "dmarc=fail"),
  hasPromotionRule: hasPromotionCondition(mask.rules),
  senders: [
    ...Map.groupBy(
      totals.filter(({ kind }) => kind === "sender"),
      ({ key }) => registrableDomain(key),
    ),
  ]
    .map(([domain, counts]) => ({ domain, received: sumWhere(counts, () => true) }))
    .toSorted((one, other) => other.received - one.received || (one.domain < other.domain ? -1 : 1)),
});

/** Reads the data of suggestions: an account's masks and their mail of the last 90 days. */
export const readMailPicture = async (
  db: Db,
  user: UserRow,
  historyMs: number | null,
  now: number,
): Promise<SuggestionInput> => {
  const oldest = oldestPeriodWithin(Math.min(historyMs ?? lookBackMs, lookBackMs), now);
  const masks = await findMasks(db, user.id);
  const totals = await readTotalsByMask(db, user.id, ["flow", "sender", "category", "verdict"], oldest);
  const byMask = Map.groupBy(totals, ({ maskId }) => maskId);
  return {
    twoFactor: user.two_factor === 1,
    hasKey: user.key_status === "configured",
    since: firstFigureDay(historyMs, oldest),
    masks: masks.map((mask) => toMaskPicture(mask, byMask.get(mask.id) ?? [])),
  };
};
