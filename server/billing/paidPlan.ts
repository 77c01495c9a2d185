import { type Tier, tiers } from "../../core/tiers/tier.ts";
import type { BillingConfig, SoldTier } from "../config/billing.ts";
import type { PaidPlan } from "../store/billingCustomers.ts";
import type { Subscription } from "./provider.ts";

/** The tier a price stands for, by configuration alone; undefined for a price that is not of this server. */
export type TierOfPrice = (priceId: string) => SoldTier | undefined;

export const makeTierOfPrice = ({ prices }: Pick<BillingConfig, "prices">): TierOfPrice => {
  const known = new Map(
    Object.entries(prices).flatMap(([tier, ids]) => ids.map((id) => [id, tier as SoldTier] as const)),
  );
  return (priceId) => known.get(priceId);
};

/** While it is so, the plan is had: a failed payment leaves it until the provider has tried long enough (past_due). */
const given = new Set(["active", "trialing", "past_due"]);
/** There is something to be paid before it goes on: no second one is sold beside it. */
const waiting = new Set(["unpaid", "paused"]);

const none: PaidPlan = { subscriptionId: null, tier: null, status: "none", endsAt: null };

export const isHigher = (tier: Tier, than: Tier): boolean => tiers.indexOf(tier) > tiers.indexOf(than);

/**
 * What a customer's subscriptions amount to: the highest tier of those that are had. Without one, a subscription that
 * waits to be paid, which gives nothing; else nothing, with the status of the newest that ended.
 */
export const paidPlanOf = (subscriptions: readonly Subscription[], tierOf: TierOfPrice): PaidPlan => {
  const ours = subscriptions.flatMap((subscription) => {
    const own = subscription.priceIds.flatMap((id) => tierOf(id) ?? []);
    const [first, ...more] = own;
    if (first === undefined) return [];
    return [{ subscription, tier: more.reduce((best, one) => (isHigher(one, best) ? one : best), first) }];
  });
  const plans = ours
    .filter(({ subscription }) => given.has(subscription.status))
    .toSorted((one, other) => tiers.indexOf(other.tier) - tiers.indexOf(one.tier));
  const [best] = plans;
  if (best) {
    const { id, status, endsAt } = best.subscription;
    return { subscriptionId: id, tier: best.tier, status, endsAt };
  }
  const held = ours.find(({ subscription }) => waiting.has(subscription.status))?.subscription;
  if (held) return { ...none, subscriptionId: held.id, status: held.status };
  const ended = ours.find(({ subscription }) => subscription.status === "canceled")?.subscription;
  return ended ? { ...none, status: ended.status } : none;
};
