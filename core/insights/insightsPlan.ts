import type { Account } from "../account/accountDetails.ts";
import { limitsOf } from "../tiers/tier.ts";

/** What an account may use a month, and how many masks it may have; null: without limit. */
export interface InsightsLimits {
  readonly emails: number;
  readonly masks: number | null;
}

/** The insights view's own table (B6), which disagrees with that of the tiers on pro (D10). */
const insightsPlans: Readonly<Record<string, InsightsLimits>> = {
  free: { emails: 100, masks: 2 },
  premium: { emails: 1_000, masks: 10 },
  pro: { emails: 5_000, masks: 50 },
};

const planNamed = (plan: string | undefined): InsightsLimits | undefined => {
  const name = plan?.toLowerCase() ?? "";
  return Object.hasOwn(insightsPlans, name) ? insightsPlans[name] : undefined;
};

/**
 * The limits of the stats block: what the account says always wins; where it says nothing, the plan an answer names
 * (D10), else the account's tier, a missing one read as pro_premium (D18).
 */
export const insightsLimits = (account: Account | null, plan: string | undefined): InsightsLimits => {
  if (account?.limits) return { emails: account.limits.emailsPerMonth, masks: account.limits.maxMasks };
  const tier = limitsOf[account?.subscription.tier ?? "pro_premium"];
  return planNamed(plan) ?? { emails: tier.emailsPerMonth, masks: tier.masks };
};
