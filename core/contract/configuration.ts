import * as t from "io-ts";
import { endpoint } from "./endpoint.ts";

/** What a server tells the app before anybody has signed in (D60). */
export const ClientConfiguration = t.intersection([
  t.type({ brand: t.string, maskDomain: t.string }),
  t.partial({
    /** Where crashes are reported; absent means nowhere. */
    sentryDsn: t.string,
    /** Where an OpenTelemetry collector listens for OTLP over HTTP; absent means nowhere (D42). */
    telemetryEndpoint: t.string,
    /** How plans are paid; absent where no payment provider is set up (D38). Price ids by tier. */
    payments: t.type({
      publishableKey: t.string,
      prices: t.type({ basic: t.string, pro: t.string, pro_premium: t.string }),
    }),
    /** The tier of everybody who pays for none; free when absent. */
    defaultTier: t.string,
    flags: t.partial({
      websockets: t.boolean,
      payments: t.boolean,
      encryption: t.boolean,
      developmentMode: t.boolean,
      performanceTracking: t.boolean,
    }),
  }),
]);
export type ClientConfiguration = t.TypeOf<typeof ClientConfiguration>;

export const getConfiguration = endpoint("GET", "/config.json", {
  authentication: "none",
  answer: ClientConfiguration,
});

/** Answers 200 when HTTP, SMTP, store and delivery are ready, else 503. */
export const getHealth = endpoint("GET", "/healthz", {
  authentication: "none",
  answer: t.type({
    status: t.string,
    parts: t.record(t.string, t.boolean),
  }),
});
