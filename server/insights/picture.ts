import type { MailPicture, MaskPicture } from "../../core/insights/mailPicture.ts";
import { dayMs } from "../../core/kernel/durations.ts";
import { type MaskTotal, totalsOfMasks } from "../store/countReads.ts";
import type { Db } from "../store/database.ts";
import { type FullMask, masksOf } from "../store/masks.ts";
import type { UserRow } from "../store/users.ts";
import { firstDayOf, oldestWithin } from "./history.ts";

/** What suggestions look back at; younger than that under a plan that keeps less. */
const lookBackMs = 90 * dayMs;

const promotional = new Set(["promotional", "newsletter"]);

/** Whether a mask's rules look at promotions already, however they are written. */
const looksAtPromotions = (rules: string): boolean => {
  const list = JSON.parse(rules) as readonly { readonly conditions?: readonly Record<string, unknown>[] }[];
  return list.some(({ conditions = [] }) =>
    conditions.some(
      ({ field, value }) =>
        field === "category" && [value].flat().some((one) => promotional.has(String(one))),
    ),
  );
};

const sum = (totals: readonly MaskTotal[], wanted: (total: MaskTotal) => boolean): number =>
  totals.filter(wanted).reduce((all, { n }) => all + n, 0);

const maskPicture = (mask: FullMask, totals: readonly MaskTotal[]): MaskPicture => ({
  id: mask.id,
  description: mask.description,
  forwardTo: mask.forward_to,
  active: mask.active === 1,
  spamFilter: mask.spam_filter === 1,
  createdAt: mask.created_at,
  lastMailAt: mask.last_used_at,
  received: sum(totals, ({ kind, key }) => kind === "flow" && key === "received"),
  promotions: sum(totals, ({ kind, key }) => kind === "category" && promotional.has(key)),
  checked: sum(totals, ({ kind, key }) => kind === "verdict" && key.startsWith("dmarc=")),
  dmarcFailed: sum(totals, ({ kind, key }) => kind === "verdict" && key === "dmarc=fail"),
  hasPromotionRule: looksAtPromotions(mask.rules),
  senders: totals
    .filter(({ kind }) => kind === "sender")
    .map(({ key, n }) => ({ domain: key, received: n }))
    .toSorted((one, other) => other.received - one.received || (one.domain < other.domain ? -1 : 1)),
});

/** What suggestions are computed from: an account's masks and their mail of the last 90 days. */
export const pictureOf = async (
  db: Db,
  user: UserRow,
  historyMs: number | null,
  now: number,
): Promise<MailPicture> => {
  const oldest = oldestWithin(Math.min(historyMs ?? lookBackMs, lookBackMs), now);
  const masks = await masksOf(db, user.id);
  const totals = await totalsOfMasks(db, user.id, ["flow", "sender", "category", "verdict"], oldest);
  const byMask = Map.groupBy(totals, ({ maskId }) => maskId);
  return {
    twoFactor: user.two_factor === 1,
    hasKey: user.key_status === "configured",
    since: firstDayOf(historyMs, oldest),
    masks: masks.map((mask) => maskPicture(mask, byMask.get(mask.id) ?? [])),
  };
};
