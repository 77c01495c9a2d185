import { dayMs } from "../kernel/durations.ts";
import type { Account } from "../session/user.ts";
import { limitsOf } from "../tiers/tier.ts";
import type { InsightsAnswer } from "./insightsEndpoints.ts";

/** The mail counts of one day; `day` is a date in UTC such as "2026-11-20". */
export type DayFlow = NonNullable<InsightsAnswer["byDay"]>[number];

/**
 * Lists the last `count` days up to the day of `now` (milliseconds since 1970), the oldest first. Days
 * without mail have zero counts.
 */
export const lastDays = (byDay: readonly DayFlow[], count: number, now: number): readonly DayFlow[] => {
  const flowByDay = new Map(byDay.map((day) => [day.day, day]));
  return Array.from({ length: count }, (_, index) => new Date(now - (count - 1 - index) * dayMs))
    .map((date) => date.toISOString().slice(0, 10))
    .map((day) => flowByDay.get(day) ?? { day, received: 0, forwarded: 0, blocked: 0 });
};

/** The monthly mail limit and the mask limit of an account; null means unlimited. */
export interface InsightsLimits {
  readonly emails: number | null;
  readonly masks: number | null;
}

/** The limits of the insights view, which differ from those of the tiers for pro (D10). */
const insightsPlans: Readonly<Record<string, InsightsLimits>> = {
  free: { emails: 100, masks: 2 },
  premium: { emails: 1_000, masks: 10 },
  pro: { emails: 5_000, masks: 50 },
};

const findPlan = (plan: string | undefined): InsightsLimits | undefined => {
  const name = plan?.toLowerCase() ?? "";
  return Object.hasOwn(insightsPlans, name) ? insightsPlans[name] : undefined;
};

/**
 * Returns the limits of the stats block: those of the account, else those of the plan that a response names
 * (D10), else those of the account's tier, with a missing tier read as pro_premium (D18).
 */
export const insightsLimits = (account: Account | null, plan: string | undefined): InsightsLimits => {
  if (account?.limits) return { emails: account.limits.emailsPerMonth, masks: account.limits.maxMasks };
  const isKnown = account !== null && account.subscription.isAssumed !== true;
  const tier = limitsOf[isKnown ? account.subscription.tier : "pro_premium"];
  return findPlan(plan) ?? { emails: tier.emailsPerMonth, masks: tier.masks };
};
