import * as t from "io-ts";
import { endpoint } from "./endpoint.ts";

/** The settings that the server sends to the app before sign-in. */
export const ClientConfiguration = t.intersection([
  t.type({ brand: t.string, maskDomain: t.string }),
  t.partial({
    /** The Sentry address for crash reports; crashes are not reported when it is absent. */
    sentryDsn: t.string,
    /** The address of an OpenTelemetry collector (OTLP over HTTP); nothing is sent when it is absent. */
    telemetryEndpoint: t.string,
    /** The payment provider's public key, and the price ids by tier as far as they are set; absent where no provider is set up. */
    payments: t.type({
      publishableKey: t.string,
      prices: t.partial({ basic: t.string, pro: t.string, pro_premium: t.string }),
    }),
    /** The tier of users who pay for no plan; free when absent. */
    defaultTier: t.string,
    /** The identity provider that the page offers (OIDC); `only`: codes by email are switched off. */
    singleSignOn: t.type({ name: t.string, only: t.boolean }),
    flags: t.partial({
      websockets: t.boolean,
      payments: t.boolean,
      encryption: t.boolean,
      /** True if masks can be looked for among leaked addresses. */
      breachCheck: t.boolean,
      developmentMode: t.boolean,
      performanceTracking: t.boolean,
    }),
  }),
]);
export type ClientConfiguration = t.TypeOf<typeof ClientConfiguration>;

/**
 * True if users choose among plans here. A server that takes no payments and says which tier everybody has sells nothing: nothing
 * that it shows speaks of plans.
 */
export const sellsPlans = ({
  flags,
  defaultTier,
}: Pick<ClientConfiguration, "flags" | "defaultTier">): boolean =>
  flags?.payments === true || defaultTier === undefined;

/** Returns the settings that the app needs before sign-in. */
export const getConfiguration = endpoint("GET", "/config.json", {
  authentication: "none",
  answer: ClientConfiguration,
});

const Health = t.intersection([
  t.type({ status: t.string, parts: t.record(t.string, t.boolean) }),
  t.partial({ problems: t.readonlyArray(t.string) }),
]);

/** Returns 200 when HTTP, SMTP, store and delivery are ready, else 503, and `problems` for what is known of the reason. */
export const getHealth = endpoint("GET", "/healthz", { authentication: "none", answer: Health });

/** Returns 200 when the store answers and the listeners for HTTP and SMTP are open, else 503, as while the server stops. */
export const getReadiness = endpoint("GET", "/readyz", { authentication: "none", answer: Health });

/** Returns 200 as long as the process lives, whatever it waits for. */
export const getLiveness = endpoint("GET", "/livez", {
  authentication: "none",
  answer: t.type({ status: t.string }),
});

/** The feature flags that apply where the server sends none. */
const defaults = {
  websockets: true,
  payments: false,
  encryption: true,
  developmentMode: false,
  performanceTracking: true,
};

/** Returns the feature flags of a configuration; `mockData` is always off. */
export const flagsOf = ({ flags }: ClientConfiguration): Readonly<typeof defaults & { mockData: false }> => ({
  ...defaults,
  ...flags,
  mockData: false,
});
