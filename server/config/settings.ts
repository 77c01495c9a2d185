import { domainOf, isEmailAddress } from "../../core/mail/emailAddress.ts";
import { type Tier, tiers } from "../../core/tiers/tier.ts";
import { type NextHop, readNextHop } from "./nextHop.ts";
import {
  file,
  hostName,
  httpAddress,
  isProxy,
  origin,
  port,
  resolver,
  type Setting,
  stripe,
  stripePrice,
} from "./setting.ts";

const logLevels = ["silent", "fatal", "error", "warn", "info", "debug", "trace"];

/** All environment variables with their default values, parsers, and descriptions. */
export const settings = {
  brand: {
    variable: "BRAND",
    defaultValue: "Bauta",
    expected: "a name of at most 40 characters",
    read: (text) => (text.length <= 40 ? text : undefined),
  } satisfies Setting<string>,
  port: port("PORT", 3_000),
  smtpPort: port("SMTP_PORT", 2_525),
  host: {
    variable: "HOST",
    defaultValue: "127.0.0.1",
    expected: "the IP address or host name to listen on",
    read: hostName,
  } satisfies Setting<string>,
  smtpHost: {
    variable: "SMTP_HOST",
    defaultValue: null,
    expected: "the IP address or host name to take mail on, or nothing for the value of HOST",
    read: hostName,
  } satisfies Setting<string | null>,
  postmaster: {
    variable: "POSTMASTER",
    defaultValue: null,
    expected: "an e-mail address outside MASK_DOMAIN",
    read: (text) => text,
  } satisfies Setting<string | null>,
  tlsCert: file("TLS_CERT", "a PEM file with the certificate chain of the mail server"),
  tlsKey: file("TLS_KEY", "a PEM file with the key of TLS_CERT"),
  trustedProxies: {
    variable: "TRUSTED_PROXIES",
    defaultValue: ["loopback"],
    expected: "addresses or networks such as 192.0.2.7,10.1.0.0/16,loopback, separated by commas",
    read: (text) => {
      const entries = text.split(",").map((entry) => entry.trim());
      return entries.every(isProxy) ? entries : undefined;
    },
  } satisfies Setting<readonly string[]>,
  dataDir: {
    variable: "DATA_DIR",
    defaultValue: "data",
    expected: "a folder",
    read: (text) => (text.includes("\0") ? undefined : text),
  } satisfies Setting<string>,
  maskDomain: {
    variable: "MASK_DOMAIN",
    defaultValue: "masks.localhost",
    expected: "a domain name such as masks.example.org",
    read: (text) => (isEmailAddress(`x@${text}`) ? domainOf(`x@${text}`).toLowerCase() : undefined),
  } satisfies Setting<string>,
  publicUrl: {
    variable: "PUBLIC_URL",
    defaultValue: null,
    expected: "an origin such as https://mail.example.org, without a path",
    read: origin,
  } satisfies Setting<string | null>,
  corsOrigins: {
    variable: "CORS_ORIGINS",
    defaultValue: [],
    expected: "origins such as https://app.example.org, separated by commas, without paths or stars",
    read: (text) => {
      const entries = text.split(",").map((entry) => origin(entry.trim()));
      return entries.every((entry) => entry !== undefined) ? entries : undefined;
    },
  } satisfies Setting<readonly string[]>,
  nextHop: {
    variable: "NEXT_HOP",
    defaultValue: null,
    expected: "smtp://host:port or smtps://user:password@host:port",
    read: readNextHop,
    secret: true,
  } satisfies Setting<NextHop | null>,
  databaseUrl: {
    variable: "DATABASE_URL",
    defaultValue: null,
    expected: "postgresql://user:password@host:port/database, or nothing for SQLite in DATA_DIR",
    read: (text) => (/^postgres(?:ql)?:\/\/./.test(text) && URL.canParse(text) ? text : undefined),
    secret: true,
  } satisfies Setting<string | null>,
  dnsServer: {
    variable: "DNS_SERVER",
    defaultValue: null,
    expected: "the IP address of a resolver, with :port if it is not 53",
    read: resolver,
  } satisfies Setting<string | null>,
  rspamdUrl: {
    variable: "RSPAMD_URL",
    defaultValue: null,
    expected: "the address of rspamd's worker, such as http://127.0.0.1:11333",
    read: (text) => (text.endsWith("/checkv2") ? undefined : httpAddress(text)),
  } satisfies Setting<string | null>,
  aiUrl: {
    variable: "AI_URL",
    defaultValue: null,
    expected: "the base of an OpenAI-compatible API, such as http://127.0.0.1:11434/v1",
    read: (text) => (text.endsWith("/chat/completions") ? undefined : httpAddress(text)),
  } satisfies Setting<string | null>,
  aiModel: {
    variable: "AI_MODEL",
    defaultValue: null,
    expected: "the name of a model at AI_URL",
    read: (text) => (text.length <= 200 ? text : undefined),
  } satisfies Setting<string | null>,
  aiKey: {
    variable: "AI_KEY",
    defaultValue: null,
    expected: "the key of AI_URL, without spaces",
    read: (text) => (/^[\x21-\x7e]+$/.test(text) ? text : undefined),
    secret: true,
  } satisfies Setting<string | null>,
  logLevel: {
    variable: "LOG_LEVEL",
    defaultValue: "info",
    expected: `one of ${logLevels.join(", ")}`,
    read: (text) => (logLevels.includes(text) ? text : undefined),
  } satisfies Setting<string>,
  sentryDsn: {
    variable: "SENTRY_DSN",
    defaultValue: null,
    expected: "the DSN of a Sentry project, such as https://key@sentry.example.org/1",
    read: (text) => (httpAddress(text) && new URL(text).username !== "" ? text : undefined),
  } satisfies Setting<string | null>,
  telemetryEndpoint: {
    variable: "TELEMETRY_ENDPOINT",
    defaultValue: null,
    expected:
      "the address of an OpenTelemetry collector, such as https://otel.example.org, without /v1/traces",
    read: (text) => (text.endsWith("/v1/traces") ? undefined : httpAddress(text)),
  } satisfies Setting<string | null>,
  defaultTier: {
    variable: "DEFAULT_TIER",
    defaultValue: null,
    expected: `one of ${tiers.join(", ")}`,
    read: (text) => tiers.find((tier) => tier === text),
  } satisfies Setting<Tier | null>,
  stripeSecretKey: stripe(
    "STRIPE_SECRET_KEY",
    "a secret key (sk_…) or restricted key (rk_…) of Stripe",
    /^[sr]k_\w+$/,
  ),
  stripePublishableKey: stripe("STRIPE_PUBLISHABLE_KEY", "a publishable key (pk_…) of Stripe", /^pk_\w+$/),
  stripeWebhookSecret: stripe(
    "STRIPE_WEBHOOK_SECRET",
    "the signing secret (whsec_…) of the webhook endpoint",
    /^whsec_[\w+/=]+$/,
  ),
  stripePriceBasic: stripePrice("STRIPE_PRICE_BASIC"),
  stripePricePro: stripePrice("STRIPE_PRICE_PRO"),
  stripePricePremium: stripePrice("STRIPE_PRICE_PREMIUM"),
  stripeApiBase: {
    variable: "STRIPE_API_BASE",
    defaultValue: null,
    expected: "an origin such as http://127.0.0.1:12111, or nothing for Stripe itself",
    read: origin,
  } satisfies Setting<string | null>,
  devReloadOrigin: {
    variable: "DEV_RELOAD_ORIGIN",
    defaultValue: null,
    expected: "an origin such as http://127.0.0.1:3001",
    read: origin,
  } satisfies Setting<string | null>,
};

/** The names of all environment variables that the server reads. */
export const variables: readonly string[] = Object.values(settings).map(({ variable }) => variable);
