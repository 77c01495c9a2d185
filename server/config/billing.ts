import { BadSetting, readSetting } from "./setting.ts";
import { settings } from "./settings.ts";

/** The tiers that are sold. */
export type SoldTier = "basic" | "pro" | "pro_premium";

/** How plans are paid, by Stripe. */
export interface BillingConfig {
  readonly secretKey: string;
  readonly publishableKey: string;
  readonly webhookSecret: string;
  /** By tier: the price that is sold, then earlier ones that are still honoured. */
  readonly prices: Readonly<Record<SoldTier, readonly [string, ...string[]]>>;
  /** Where the API is; null: at Stripe. */
  readonly apiBase: string | null;
}

const some = (ids: readonly string[]): readonly [string, ...string[]] | null => {
  const [first, ...more] = ids;
  return first === undefined ? null : [first, ...more];
};

const listed = (names: readonly string[]): string =>
  names.length === 1 ? `${names[0]} is` : `${names.slice(0, -1).join(", ")} and ${names.at(-1)} are`;

/** Reads what belongs to payment: all of it, or nothing for null; throws `BadSetting` that names what is missing. */
export const readBilling = (environment: NodeJS.ProcessEnv): BillingConfig | null => {
  const read = {
    STRIPE_SECRET_KEY: readSetting<string | null>(settings.stripeSecretKey, environment),
    STRIPE_PUBLISHABLE_KEY: readSetting<string | null>(settings.stripePublishableKey, environment),
    STRIPE_WEBHOOK_SECRET: readSetting<string | null>(settings.stripeWebhookSecret, environment),
  };
  const sold = {
    STRIPE_PRICE_BASIC: some(readSetting<readonly string[]>(settings.stripePriceBasic, environment)),
    STRIPE_PRICE_PRO: some(readSetting<readonly string[]>(settings.stripePricePro, environment)),
    STRIPE_PRICE_PREMIUM: some(readSetting<readonly string[]>(settings.stripePricePremium, environment)),
  };
  const apiBase = readSetting<string | null>(settings.stripeApiBase, environment);
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_PUBLISHABLE_KEY: publishableKey } = read;
  const { STRIPE_WEBHOOK_SECRET: webhookSecret } = read;
  const { STRIPE_PRICE_BASIC: basic, STRIPE_PRICE_PRO: pro, STRIPE_PRICE_PREMIUM: premium } = sold;
  if (secretKey && publishableKey && webhookSecret && basic && pro && premium)
    return {
      secretKey,
      publishableKey,
      webhookSecret,
      prices: { basic, pro, pro_premium: premium },
      apiBase,
    };
  const all = Object.entries({ ...read, ...sold });
  const missing = all.filter(([, value]) => value === null).map(([name]) => name);
  if (missing.length === all.length && apiBase === null) return null;
  throw new BadSetting(
    `${listed(missing)} absent; payment wants all of ${all.map(([name]) => name).join(", ")}.`,
  );
};
