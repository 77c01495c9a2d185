import type { ClientConfiguration } from "../../core/contract/configuration.ts";
import type { BillingConfig } from "../config/billing.ts";
import type { SiteParts } from "./siteParts.ts";

const paymentsOf = ({
  publishableKey,
  prices,
}: BillingConfig): NonNullable<ClientConfiguration["payments"]> => ({
  publishableKey,
  prices: { basic: prices.basic[0], pro: prices.pro[0], pro_premium: prices.pro_premium[0] },
});

/** What the page is told before anything else: what this server is, and what it offers. */
export const clientConfiguration = (
  config: SiteParts["config"],
  takesPayments: boolean,
): ClientConfiguration => {
  const { brand, maskDomain, sentryDsn, telemetryEndpoint, defaultTier, billing } = config;
  return {
    brand,
    maskDomain,
    ...(sentryDsn === null ? {} : { sentryDsn }),
    ...(telemetryEndpoint === null ? {} : { telemetryEndpoint }),
    ...(defaultTier === null ? {} : { defaultTier }),
    ...(billing ? { payments: paymentsOf(billing) } : {}),
    flags: { websockets: true, payments: takesPayments, encryption: true },
  };
};
