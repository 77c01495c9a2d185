import { isIP } from "node:net";
import { resolve } from "node:path";
import { domainOf, isEmailAddress } from "../../core/mail/emailAddress.ts";
import { type NextHop, readNextHop } from "./nextHop.ts";
import { readSetting, type Setting } from "./setting.ts";

/** Everything the operator may decide. The README's table is this file in words. */
export interface Config {
  readonly brand: string;
  readonly port: number;
  readonly smtpPort: number;
  /** The address both listeners bind to. */
  readonly host: string;
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

const logLevels = ["silent", "fatal", "error", "warn", "info", "debug", "trace"];

const port = (variable: string, standard: number): Setting<number> => ({
  variable,
  standard,
  wants: "a port number from 0 to 65535",
  read: (text) => (/^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : undefined),
});

const origin = (text: string): string | undefined => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isOrigin = url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`;
  return isOrigin && !url.host.includes("*") ? url.origin : undefined;
};

const hostName = (text: string): string | undefined =>
  isIP(text) || isEmailAddress(`x@${text}`) ? text.toLowerCase() : undefined;

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
    read: (text) => (isIP(text.replace(/^\[(.*)\](?::\d+)?$|^([\d.]+):\d+$/, "$1$2")) ? text : undefined),
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

const urlHost = (host: string): string => (isIP(host) === 6 ? `[${host}]` : host);

/** Decodes the environment; throws `BadSetting` at the first variable that cannot be used. */
export const readConfig = (environment: NodeJS.ProcessEnv): Config => {
  const port = readSetting(settings.port, environment);
  const host = readSetting(settings.host, environment);
  return {
    brand: readSetting(settings.brand, environment),
    port,
    smtpPort: readSetting(settings.smtpPort, environment),
    host,
    dataDir: resolve(readSetting(settings.dataDir, environment)),
    maskDomain: readSetting(settings.maskDomain, environment),
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
