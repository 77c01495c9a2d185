import { type Tier, tiers } from "../../../core/tiers/tier.ts";
import type { BillingConfig, SoldTier } from "../../platform/config/config.ts";
import type { PaidPlan } from "./customerQueries.ts";
import type { Subscription } from "./paymentProvider.ts";

/** Returns the configured tier of a price; undefined for a price of another server. */
export type TierOfPrice = (priceId: string) => SoldTier | undefined;

export const createTierOfPrice = ({ prices }: Pick<BillingConfig, "prices">): TierOfPrice => {
  const known = new Map(
    Object.entries(prices).flatMap(([tier, ids]) => ids.map((id) => [id, tier as SoldTier] as const)),
  );
  return (priceId) => known.get(priceId);
};

/** A failed payment (past_due) keeps the plan until the provider stops retrying. */
const activeStatuses = new Set(["active", "trialing", "past_due"]);
/** No second subscription is sold while one of these waits for a payment. */
const waitingStatuses = new Set(["unpaid", "paused"]);

const none: PaidPlan = { subscriptionId: null, tier: null, status: "none", endsAt: null };

export const isHigher = (tier: Tier, than: Tier): boolean => tiers.indexOf(tier) > tiers.indexOf(than);

/**
 * Returns the plan of a customer's subscriptions: the highest active tier, or no tier while one waits for
 * payment, or no plan with the status of the newest canceled one.
 */
export const paidPlanOf = (subscriptions: readonly Subscription[], tierOf: TierOfPrice): PaidPlan => {
  const ours = subscriptions.flatMap((subscription) => {
    const own = subscription.priceIds.flatMap((id) => tierOf(id) ?? []);
    const [first, ...more] = own;
    if (first === undefined) return [];
    return [{ subscription, tier: more.reduce((best, a) => (isHigher(a, best) ? a : best), first) }];
  });
  const plans = ours
    .filter(({ subscription }) => activeStatuses.has(subscription.status))
    .toSorted((a, b) => tiers.indexOf(b.tier) - tiers.indexOf(a.tier));
  const [best] = plans;
  if (best) {
    const { id, status, endsAt } = best.subscription;
    return { subscriptionId: id, tier: best.tier, status, endsAt };
  }
  const waiting = ours.find(({ subscription }) => waitingStatuses.has(subscription.status))?.subscription;
  if (waiting) return { ...none, subscriptionId: waiting.id, status: waiting.status };
  const ended = ours.find(({ subscription }) => subscription.status === "canceled")?.subscription;
  return ended ? { ...none, status: ended.status } : none;
};
