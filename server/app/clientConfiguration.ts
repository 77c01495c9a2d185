import type { ClientConfiguration } from "../../core/api/configuration.ts";
import type { ServerConfig } from "../context/serverContext.ts";
import type { BillingConfig } from "../platform/config/config.ts";

const paymentsOf = ({
  publishableKey,
  prices,
}: BillingConfig): NonNullable<ClientConfiguration["payments"]> => ({
  publishableKey,
  prices: { basic: prices.basic[0], pro: prices.pro[0], pro_premium: prices.pro_premium[0] },
});

/** Returns the configuration that the web app loads first. */
export const clientConfiguration = (config: ServerConfig, takesPayments: boolean): ClientConfiguration => {
  const { brand, maskDomain, sentryDsn, telemetryEndpoint, defaultTier, billing, oidc } = config;
  return {
    brand,
    maskDomain,
    ...(sentryDsn === null ? {} : { sentryDsn }),
    ...(telemetryEndpoint === null ? {} : { telemetryEndpoint }),
    ...(defaultTier === null ? {} : { defaultTier }),
    ...(oidc === null ? {} : { singleSignOn: { name: oidc.name, only: oidc.only } }),
    ...(billing ? { payments: paymentsOf(billing) } : {}),
    flags: {
      websockets: true,
      payments: takesPayments,
      encryption: true,
      ...(config.breachRanges === null ? {} : { breachCheck: true }),
    },
  };
};
