import { isIP } from "node:net";
import { resolve } from "node:path";
import { domainOf, isEmailAddress } from "../../core/mail/emailAddress.ts";
import type { Tier } from "../../core/tiers/tier.ts";
import { type BillingConfig, readBilling } from "./billing.ts";
import type { NextHop } from "./nextHop.ts";
import { BadSetting, readSetting } from "./setting.ts";
import { settings } from "./settings.ts";

/** Everything the operator may decide. The README's table is this file in words. */
export interface Config {
  readonly brand: string;
  readonly port: number;
  readonly smtpPort: number;
  /** The address the app listens on. */
  readonly host: string;
  /** The address mail is taken on. */
  readonly smtpHost: string;
  /** Who gets mail for the postmaster and about abuse; null: it stays in the outbox. */
  readonly postmaster: string | null;
  /** What STARTTLS is offered with to whoever brings mail; null: it is not offered. */
  readonly tls: TlsFiles | null;
  /** Addresses and networks of proxies whose word about their clients is taken. */
  readonly trustedProxies: readonly string[];
  readonly dataDir: string;
  readonly maskDomain: string;
  /** The origin people reach the app at, without a slash at the end. */
  readonly publicUrl: string;
  /** Other origins whose pages may call the server with the visitor's session. */
  readonly corsOrigins: readonly string[];
  /** null: mail that would leave stays in the outbox (D39). */
  readonly nextHop: NextHop | null;
  /** null: SQLite in the data folder. */
  readonly databaseUrl: string | null;
  /** null: the system's resolver. */
  readonly dnsServer: string | null;
  /** Where rspamd answers over HTTP; null: spam is judged here alone. */
  readonly rspamdUrl: string | null;
  /** A model elsewhere that tells the category of mail of users who agree to it; null: there is none. */
  readonly aiModel: AiModel | null;
  readonly logLevel: string;
  /** Where the app reports crashes; null: nowhere. */
  readonly sentryDsn: string | null;
  /** Where the app sends traces and events by OTLP; null: nowhere (D42). */
  readonly telemetryEndpoint: string | null;
  /** The tier of everybody who pays for none; null: free for new users, and others keep what they have. */
  readonly defaultTier: Tier | null;
  /** null: nothing is sold (D38). */
  readonly billing: BillingConfig | null;
  /** The origin of the reload stream while developing; null otherwise. */
  readonly devReloadOrigin: string | null;
}

/** A model behind an OpenAI-compatible API. */
export interface AiModel {
  /** The base of its API, without a slash at the end. */
  readonly url: string;
  readonly model: string;
  readonly key: string | null;
}

/** Paths of PEM files. */
export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
}

/** The host in addresses that are opened on this machine. */
const urlHost = (host: string): string => {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return isIP(host) === 6 ? `[${host}]` : host;
};

/** A postmaster at the masks' own domain would be sent their mail by themselves. */
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
    throw new BadSetting("TLS_CERT is absent; with TLS_KEY it wants the certificate's PEM file.");
  if (key === null) throw new BadSetting("TLS_KEY is absent; with TLS_CERT it wants the key's PEM file.");
  return { cert: resolve(cert), key: resolve(key) };
};

const readAiModel = (environment: NodeJS.ProcessEnv): AiModel | null => {
  const url = readSetting<string | null>(settings.aiUrl, environment);
  const model = readSetting<string | null>(settings.aiModel, environment);
  const key = readSetting<string | null>(settings.aiKey, environment);
  if (url === null && (model !== null || key !== null))
    throw new BadSetting(`AI_URL is absent; with AI_MODEL and AI_KEY it wants ${settings.aiUrl.wants}.`);
  if (url === null) return null;
  if (model === null)
    throw new BadSetting(`AI_MODEL is absent; with AI_URL it wants ${settings.aiModel.wants}.`);
  return { url: url.replace(/\/+$/, ""), model, key };
};

/** Decodes the environment; throws `BadSetting` at the first variable that cannot be used. */
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
