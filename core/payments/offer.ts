import type { ClientConfiguration } from "../contract/configuration.ts";
import { type Plan, plans } from "../tiers/plan.ts";

/** A plan that can be bought here. */
export interface Offer extends Plan {
  /** The provider's name for its price. */
  readonly priceId: string;
}

/** The plans a server sells, the cheapest first; none where no payment is set up. */
export const offersOf = ({ payments }: ClientConfiguration): readonly Offer[] => {
  const prices: Readonly<Record<string, string>> = payments?.prices ?? {};
  return plans.flatMap((plan) => {
    const priceId = prices[plan.tier];
    return priceId === undefined ? [] : [{ ...plan, priceId }];
  });
};
