import { limitsOf, type Tier } from "./tier.ts";

/** A plan that a new user can choose. */
export interface Plan {
  readonly name: string;
  readonly tier: Tier;
  /** The price in US dollars a month. */
  readonly price: number;
  readonly masks: number | null;
  readonly emailsPerMonth: number | null;
}

const plan = (name: string, tier: Tier, price: number): Plan => ({
  name,
  tier,
  price,
  masks: limitsOf[tier].masks,
  emailsPerMonth: limitsOf[tier].emailsPerMonth,
});

/** The plans, the cheapest first. Plan "Premium" is tier pro_premium (D10). */
export const plans: readonly Plan[] = [
  plan("Free", "free", 0),
  plan("Basic", "basic", 2.99),
  plan("Pro", "pro", 6.99),
  plan("Premium", "pro_premium", 12.99),
];

/** The price ids of the plans that a configuration names none for. */
export const placeholderPrices: Readonly<Record<string, string>> = {
  basic: "price_basic",
  pro: "price_pro",
  pro_premium: "price_premium",
};

/** The price that is paid for where none is given (AC7). */
export const defaultPriceId = "price_default";
