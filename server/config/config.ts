import { isIP } from "node:net";
import { resolve } from "node:path";
import { domainOf, isEmailAddress } from "../../core/mail/emailAddress.ts";
import type { Tier } from "../../core/tiers/tier.ts";
import { type BillingConfig, readBilling } from "./billingConfig.ts";
import type { NextHop } from "./nextHop.ts";
import { readSetting, SettingError } from "./setting.ts";
import { settings } from "./settings.ts";

/** The configuration of the server; the table in the README documents it. */
export interface Config {
  readonly brand: string;
  readonly port: number;
  readonly smtpPort: number;
  /** The address that the app listens on. */
  readonly host: string;
  /** The address that the SMTP server listens on. */
  readonly smtpHost: string;
  /** The recipient of mail to the postmaster and abuse addresses; null keeps that mail in the outbox. */
  readonly postmaster: string | null;
  /** The certificate files for STARTTLS; null disables STARTTLS. */
  readonly tls: TlsFiles | null;
  /** The addresses and networks of proxies whose X-Forwarded-* headers are trusted. */
  readonly trustedProxies: readonly string[];
  readonly dataDir: string;
  readonly maskDomain: string;
  /** The public origin of the app, without a trailing slash. */
  readonly publicUrl: string;
  /** Other origins whose pages may send requests with the visitor's session. */
  readonly corsOrigins: readonly string[];
  /** The server that delivers outgoing mail; null stores that mail in the outbox (D39). */
  readonly nextHop: NextHop | null;
  /** The PostgreSQL database; null uses SQLite in the data folder. */
  readonly databaseUrl: string | null;
  /** The DNS server; null uses the resolver of the system. */
  readonly dnsServer: string | null;
  /** The URL of rspamd; null uses only the built-in spam check. */
  readonly rspamdUrl: string | null;
  /** An external model that categorizes the mail of users who consent to it; null without one. */
  readonly aiModel: AiModel | null;
  readonly logLevel: string;
  /** The Sentry DSN for crash reports of the web app; null disables them. */
  readonly sentryDsn: string | null;
  /** The OTLP endpoint for traces and events of the web app; null disables them (D42). */
  readonly telemetryEndpoint: string | null;
  /**
   * The tier of users without a paid plan; null gives new users the Free tier and leaves others unchanged.
   */
  readonly defaultTier: Tier | null;
  /** The payment configuration; null disables billing (D38). */
  readonly billing: BillingConfig | null;
  /** The origin of the reload stream during development; null otherwise. */
  readonly devReloadOrigin: string | null;
}

/** A model with an OpenAI-compatible API. */
export interface AiModel {
  /** The base URL of the API, without a trailing slash. */
  readonly url: string;
  readonly model: string;
  readonly key: string | null;
}

/** Paths of PEM files. */
export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
}

/** Returns the host for URLs that are opened on this machine. */
const urlHost = (host: string): string => {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return isIP(host) === 6 ? `[${host}]` : host;
};

/** Reads POSTMASTER; refuses an address at the mask domain, which would forward mail to itself. */
const readPostmaster = (environment: NodeJS.ProcessEnv, maskDomain: string): string | null => {
  const { postmaster } = settings;
  const read = (text: string): string | undefined =>
    isEmailAddress(text) && domainOf(text).toLowerCase() !== maskDomain ? text : undefined;
  return readSetting<string | null>({ ...postmaster, read }, environment);
};

const readTls = (environment: NodeJS.ProcessEnv): TlsFiles | null => {
  const cert = readSetting(settings.tlsCert, environment);
  const key = readSetting(settings.tlsKey, environment);
  if (cert === null && key === null) return null;
  if (cert === null)
    throw new SettingError(
      "TLS_CERT is not set; expected the PEM file of the certificate, because TLS_KEY is set.",
    );
  if (key === null)
    throw new SettingError("TLS_KEY is not set; expected the PEM file of the key, because TLS_CERT is set.");
  return { cert: resolve(cert), key: resolve(key) };
};

const readAiModel = (environment: NodeJS.ProcessEnv): AiModel | null => {
  const url = readSetting<string | null>(settings.aiUrl, environment);
  const model = readSetting<string | null>(settings.aiModel, environment);
  const key = readSetting<string | null>(settings.aiKey, environment);
  if (url === null && (model !== null || key !== null))
    throw new SettingError(
      `AI_URL is not set; expected ${settings.aiUrl.expected}, because AI_MODEL or AI_KEY is set.`,
    );
  if (url === null) return null;
  if (model === null)
    throw new SettingError(
      `AI_MODEL is not set; expected ${settings.aiModel.expected}, because AI_URL is set.`,
    );
  return { url: url.replace(/\/+$/, ""), model, key };
};

/** Reads the configuration from the environment; throws a `SettingError` for the first invalid variable. */
export const readConfig = (environment: NodeJS.ProcessEnv): Config => {
  const port = readSetting(settings.port, environment);
  const host = readSetting(settings.host, environment);
  const maskDomain = readSetting(settings.maskDomain, environment);
  return {
    brand: readSetting(settings.brand, environment),
    port,
    smtpPort: readSetting(settings.smtpPort, environment),
    host,
    smtpHost: readSetting<string | null>(settings.smtpHost, environment) ?? host,
    postmaster: readPostmaster(environment, maskDomain),
    tls: readTls(environment),
    trustedProxies: readSetting<readonly string[]>(settings.trustedProxies, environment),
    dataDir: resolve(readSetting(settings.dataDir, environment)),
    maskDomain,
    publicUrl:
      readSetting<string | null>(settings.publicUrl, environment) ?? `http://${urlHost(host)}:${port}`,
    corsOrigins: readSetting<readonly string[]>(settings.corsOrigins, environment),
    nextHop: readSetting<NextHop | null>(settings.nextHop, environment),
    databaseUrl: readSetting<string | null>(settings.databaseUrl, environment),
    dnsServer: readSetting<string | null>(settings.dnsServer, environment),
    rspamdUrl: readSetting<string | null>(settings.rspamdUrl, environment),
    aiModel: readAiModel(environment),
    logLevel: readSetting(settings.logLevel, environment),
    sentryDsn: readSetting<string | null>(settings.sentryDsn, environment),
    telemetryEndpoint: readSetting<string | null>(settings.telemetryEndpoint, environment),
    defaultTier: readSetting<Tier | null>(settings.defaultTier, environment),
    billing: readBilling(environment),
    devReloadOrigin: readSetting<string | null>(settings.devReloadOrigin, environment),
  };
};
