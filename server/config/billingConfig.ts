import { readSetting, SettingError } from "./setting.ts";
import { settings } from "./settings.ts";

/** The tiers that can be sold. */
export type SoldTier = "basic" | "pro" | "pro_premium";

/** The configuration of payments with Stripe. */
export interface BillingConfig {
  readonly secretKey: string;
  readonly publishableKey: string;
  readonly webhookSecret: string;
  /** The prices by tier: first the one that is sold, then earlier ones that are still valid. */
  readonly prices: Readonly<Record<SoldTier, readonly [string, ...string[]]>>;
  /** The base URL of the API; null for Stripe itself. */
  readonly apiBase: string | null;
}

const toNonEmpty = (ids: readonly string[]): readonly [string, ...string[]] | null => {
  const [first, ...more] = ids;
  return first === undefined ? null : [first, ...more];
};

const namesWithVerb = (names: readonly string[]): string =>
  names.length === 1 ? `${names[0]} is` : `${names.slice(0, -1).join(", ")} and ${names.at(-1)} are`;

/**
 * Reads the payment settings; returns null when none is set, and throws a `SettingError` that names the
 * missing ones when only some are set.
 */
export const readBilling = (environment: NodeJS.ProcessEnv): BillingConfig | null => {
  const read = {
    STRIPE_SECRET_KEY: readSetting<string | null>(settings.stripeSecretKey, environment),
    STRIPE_PUBLISHABLE_KEY: readSetting<string | null>(settings.stripePublishableKey, environment),
    STRIPE_WEBHOOK_SECRET: readSetting<string | null>(settings.stripeWebhookSecret, environment),
  };
  const sold = {
    STRIPE_PRICE_BASIC: toNonEmpty(readSetting<readonly string[]>(settings.stripePriceBasic, environment)),
    STRIPE_PRICE_PRO: toNonEmpty(readSetting<readonly string[]>(settings.stripePricePro, environment)),
    STRIPE_PRICE_PREMIUM: toNonEmpty(
      readSetting<readonly string[]>(settings.stripePricePremium, environment),
    ),
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
  throw new SettingError(
    `${namesWithVerb(missing)} not set; expected all of ${all.map(([name]) => name).join(", ")} for payments.`,
  );
};
