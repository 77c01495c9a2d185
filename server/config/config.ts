import { isIP } from "node:net";
import { resolve } from "node:path";
import { domainOf } from "../../core/mail/emailAddress.ts";
import { createReadSetting, SettingError, settings } from "./settings.ts";

/** A model with an OpenAI-compatible API; `url` has no trailing slash. */
export interface AiModel {
  readonly url: string;
  readonly model: string;
  readonly key: string | null;
}

/** Paths of PEM files. */
export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
}

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

type Read = ReturnType<typeof createReadSetting>;

/** Returns the host for URLs that are opened on this machine. */
const urlHost = (host: string): string => {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return isIP(host) === 6 ? `[${host}]` : host;
};

/** Reads POSTMASTER; refuses an address at the mask domain, which would forward mail to itself. */
const readPostmaster = (read: Read, maskDomain: string): string | null => {
  const address = read("POSTMASTER");
  if (address === null || domainOf(address).toLowerCase() !== maskDomain) return address;
  throw new SettingError(
    `POSTMASTER is ${JSON.stringify(address)}; expected ${settings.POSTMASTER.expected}.`,
  );
};

const readTls = (read: Read): TlsFiles | null => {
  const [cert, key] = [read("TLS_CERT"), read("TLS_KEY")];
  if (cert === null && key === null) return null;
  if (cert === null)
    throw new SettingError(
      "TLS_CERT is not set; expected the PEM file of the certificate, because TLS_KEY is set.",
    );
  if (key === null)
    throw new SettingError("TLS_KEY is not set; expected the PEM file of the key, because TLS_CERT is set.");
  return { cert: resolve(cert), key: resolve(key) };
};

const readAiModel = (read: Read): AiModel | null => {
  const [url, model, key] = [read("AI_URL"), read("AI_MODEL"), read("AI_KEY")];
  if (url === null && model === null && key === null) return null;
  if (url === null)
    throw new SettingError(
      `AI_URL is not set; expected ${settings.AI_URL.expected}, because AI_MODEL or AI_KEY is set.`,
    );
  if (model === null)
    throw new SettingError(
      `AI_MODEL is not set; expected ${settings.AI_MODEL.expected}, because AI_URL is set.`,
    );
  return { url: url.replace(/\/+$/, ""), model, key };
};

const toNonEmpty = (ids: readonly string[] | null): readonly [string, ...string[]] | null => {
  const [first, ...more] = ids ?? [];
  return first === undefined ? null : [first, ...more];
};

/** Reads the payment settings: all of them, or none, which disables billing (D38). */
const readBilling = (read: Read): BillingConfig | null => {
  const [secretKey, publishableKey] = [read("STRIPE_SECRET_KEY"), read("STRIPE_PUBLISHABLE_KEY")];
  const webhookSecret = read("STRIPE_WEBHOOK_SECRET");
  const basic = toNonEmpty(read("STRIPE_PRICE_BASIC"));
  const pro = toNonEmpty(read("STRIPE_PRICE_PRO"));
  const premium = toNonEmpty(read("STRIPE_PRICE_PREMIUM"));
  const apiBase = read("STRIPE_API_BASE");
  if (secretKey && publishableKey && webhookSecret && basic && pro && premium)
    return {
      secretKey,
      publishableKey,
      webhookSecret,
      prices: { basic, pro, pro_premium: premium },
      apiBase,
    };
  const values = {
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_PUBLISHABLE_KEY: publishableKey,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    STRIPE_PRICE_BASIC: basic,
    STRIPE_PRICE_PRO: pro,
    STRIPE_PRICE_PREMIUM: premium,
  };
  const missing = Object.entries(values).flatMap(([name, value]) => (value === null ? [name] : []));
  if (missing.length === Object.keys(values).length && apiBase === null) return null;
  const names =
    missing.length === 1
      ? `${missing[0]} is`
      : `${missing.slice(0, -1).join(", ")} and ${missing.at(-1)} are`;
  throw new SettingError(`${names} not set; expected all of ${Object.keys(values).join(", ")} for payments.`);
};

/** Reads the configuration from the environment; throws a `SettingError` for the first invalid variable. */
export const readConfig = (environment: NodeJS.ProcessEnv) => {
  const read = createReadSetting(environment);
  const [port, host, maskDomain] = [read("PORT"), read("HOST"), read("MASK_DOMAIN")];
  return {
    brand: read("BRAND"),
    port,
    smtpPort: read("SMTP_PORT"),
    /** The address that the app listens on. */
    host,
    smtpHost: read("SMTP_HOST") ?? host,
    /** The recipient of mail to the postmaster and abuse addresses; null keeps that mail in the outbox. */
    postmaster: readPostmaster(read, maskDomain),
    /** The certificate files for STARTTLS; null disables STARTTLS. */
    tls: readTls(read),
    /** The addresses and networks of proxies whose X-Forwarded-* headers are trusted. */
    trustedProxies: read("TRUSTED_PROXIES"),
    dataDir: resolve(read("DATA_DIR")),
    maskDomain,
    /** The public origin of the app, without a trailing slash. */
    publicUrl: read("PUBLIC_URL") ?? `http://${urlHost(host)}:${port}`,
    /** Other origins whose pages may send requests with the visitor's session. */
    corsOrigins: read("CORS_ORIGINS"),
    /** The server that delivers outgoing mail; null stores that mail in the outbox (D39). */
    nextHop: read("NEXT_HOP"),
    /** The PostgreSQL database; null uses SQLite in the data folder. */
    databaseUrl: read("DATABASE_URL"),
    /** Null uses the resolver of the system. */
    dnsServer: read("DNS_SERVER"),
    /** Null uses only the built-in spam check. */
    rspamdUrl: read("RSPAMD_URL"),
    /** An external model that categorizes the mail of users who consent to it; null without one. */
    aiModel: readAiModel(read),
    logLevel: read("LOG_LEVEL"),
    /** Null disables crash reports of the web app. */
    sentryDsn: read("SENTRY_DSN"),
    /** Null disables traces and events of the web app (D42). */
    telemetryEndpoint: read("TELEMETRY_ENDPOINT"),
    /** The tier of users without a paid plan; null is Free for new users and leaves others unchanged. */
    defaultTier: read("DEFAULT_TIER"),
    billing: readBilling(read),
    /** The origin of the reload stream during development; null otherwise. */
    devReloadOrigin: read("DEV_RELOAD_ORIGIN"),
  };
};

/** The configuration of the server. */
export type Config = Readonly<ReturnType<typeof readConfig>>;
