import type { Tier } from "../../../core/tiers/tier.ts";
import type { ServerContext } from "../../context/serverContext.ts";
import { type Billing, createUserBilling } from "./billing.ts";
import { type ApplyPaidPlan, createApplyPaidPlan } from "./changePlan.ts";
import type { PaymentProvider } from "./paymentProvider.ts";

/** The functions that payments offer to the features. */
export interface BillingServices {
  /** The plan of new accounts. */
  readonly defaultTier: Tier;
  readonly applyPaidPlan: ApplyPaidPlan;
  /** Null without a payment provider (D38). */
  readonly provider: PaymentProvider | null;
  /** Null without a payment provider (D38). */
  readonly payments: Billing | null;
}

/** Creates what payments offer to the features; loads the client of the payment provider where there is one. */
export const createBillingServices = async (context: ServerContext): Promise<BillingServices> => {
  const { config, clock, log } = context;
  const defaultTier = config.defaultTier ?? "free";
  const applyPaidPlan = createApplyPaidPlan(defaultTier);
  if (!config.billing) return { defaultTier, applyPaidPlan, provider: null, payments: null };
  const { createStripeProvider } = await import("./stripeProvider.ts");
  const provider = createStripeProvider(config.billing, `${config.publicUrl}/`, clock.now);
  const onFailure = (reason: string): void => log.warn({ reason }, "the payment provider failed");
  const payments = createUserBilling({
    ...context,
    config: config.billing,
    provider,
    defaultTier,
    onFailure,
  });
  return { defaultTier, applyPaidPlan, provider, payments };
};

declare module "../../context/feature.ts" {
  interface FeatureContext {
    readonly billing: BillingServices;
  }
}
