import { isIP } from "node:net";
import { resolve } from "node:path";
import { domainOf, isEmailAddress } from "../../core/mail/emailAddress.ts";
import { type NextHop, readNextHop } from "./nextHop.ts";
import { file, hostName, isProxy, origin, port, resolver } from "./readings.ts";
import { BadSetting, readSetting, type Setting } from "./setting.ts";

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
  readonly logLevel: string;
  /** The origin of the reload stream while developing; null otherwise. */
  readonly devReloadOrigin: string | null;
}

/** Paths of PEM files. */
export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
}

const logLevels = ["silent", "fatal", "error", "warn", "info", "debug", "trace"];

const settings = {
  brand: {
    variable: "BRAND",
    standard: "Bauta",
    wants: "a name of at most 40 characters",
    read: (text) => (text.length <= 40 ? text : undefined),
  } satisfies Setting<string>,
  port: port("PORT", 3_000),
  smtpPort: port("SMTP_PORT", 2_525),
  host: {
    variable: "HOST",
    standard: "127.0.0.1",
    wants: "the IP address or host name to listen on",
    read: hostName,
  } satisfies Setting<string>,
  smtpHost: {
    variable: "SMTP_HOST",
    standard: null,
    wants: "the IP address or host name to take mail on, or nothing for that of HOST",
    read: hostName,
  } satisfies Setting<string | null>,
  postmaster: {
    variable: "POSTMASTER",
    standard: null,
    wants: "an e-mail address that is not of MASK_DOMAIN",
    read: (text) => text,
  } satisfies Setting<string | null>,
  tlsCert: file("TLS_CERT", "a PEM file with the certificate of the mail server and those that prove it"),
  tlsKey: file("TLS_KEY", "a PEM file with the key of TLS_CERT"),
  trustedProxies: {
    variable: "TRUSTED_PROXIES",
    standard: ["loopback"],
    wants: "addresses or networks such as 192.0.2.7,10.1.0.0/16,loopback, separated by commas",
    read: (text) => {
      const named = text.split(",").map((one) => one.trim());
      return named.every(isProxy) ? named : undefined;
    },
  } satisfies Setting<readonly string[]>,
  dataDir: {
    variable: "DATA_DIR",
    standard: "data",
    wants: "a folder",
    read: (text) => (text.includes("\0") ? undefined : text),
  } satisfies Setting<string>,
  maskDomain: {
    variable: "MASK_DOMAIN",
    standard: "masks.localhost",
    wants: "a domain name such as masks.example.org",
    read: (text) => (isEmailAddress(`x@${text}`) ? domainOf(`x@${text}`).toLowerCase() : undefined),
  } satisfies Setting<string>,
  publicUrl: {
    variable: "PUBLIC_URL",
    standard: null,
    wants: "an origin such as https://mail.example.org, without a path",
    read: origin,
  } satisfies Setting<string | null>,
  corsOrigins: {
    variable: "CORS_ORIGINS",
    standard: [],
    wants: "origins such as https://app.example.org, separated by commas, without paths or stars",
    read: (text) => {
      const named = text.split(",").map((one) => origin(one.trim()));
      return named.every((one) => one !== undefined) ? named : undefined;
    },
  } satisfies Setting<readonly string[]>,
  nextHop: {
    variable: "NEXT_HOP",
    standard: null,
    wants: "smtp://host:port or smtps://user:password@host:port",
    read: readNextHop,
    secret: true,
  } satisfies Setting<NextHop | null>,
  databaseUrl: {
    variable: "DATABASE_URL",
    standard: null,
    wants: "postgresql://user:password@host:port/database, or nothing for SQLite in DATA_DIR",
    read: (text) => (/^postgres(?:ql)?:\/\/./.test(text) && URL.canParse(text) ? text : undefined),
    secret: true,
  } satisfies Setting<string | null>,
  dnsServer: {
    variable: "DNS_SERVER",
    standard: null,
    wants: "the IP address of a resolver, with :port if it is not 53",
    read: resolver,
  } satisfies Setting<string | null>,
  logLevel: {
    variable: "LOG_LEVEL",
    standard: "info",
    wants: `one of ${logLevels.join(", ")}`,
    read: (text) => (logLevels.includes(text) ? text : undefined),
  } satisfies Setting<string>,
  devReloadOrigin: {
    variable: "DEV_RELOAD_ORIGIN",
    standard: null,
    wants: "an origin such as http://127.0.0.1:3001",
    read: origin,
  } satisfies Setting<string | null>,
};

/** The environment variables that are read. */
export const variables: readonly string[] = Object.values(settings).map(({ variable }) => variable);

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
    logLevel: readSetting(settings.logLevel, environment),
    devReloadOrigin: readSetting<string | null>(settings.devReloadOrigin, environment),
  };
};
