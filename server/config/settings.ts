import { isIP } from "node:net";
import { isEmailAddress } from "../../core/mail/emailAddress.ts";
import { tiers } from "../../core/tiers/tier.ts";

/** An invalid setting; `message` is one line with the variable, its value, and the expected value. */
export class SettingError extends Error {}

/** The mail server that outgoing mail is sent to. */
export interface NextHop {
  readonly host: string;
  readonly port: number;
  /** Whether TLS starts with the connection; otherwise STARTTLS is used when offered. */
  readonly secure: boolean;
  readonly user?: string | undefined;
  readonly password?: string | undefined;
}

/** Parses a text; returns undefined when it is invalid. */
type Parse<A> = (text: string) => A | undefined;

const matching =
  (isValid: (text: string) => boolean): Parse<string> =>
  (text) =>
    isValid(text) ? text : undefined;
const oneOf =
  <A extends string>(values: readonly A[]): Parse<A> =>
  (text) =>
    values.find((value) => value === text);
const listOf =
  <A>(parse: Parse<A>): Parse<readonly A[]> =>
  (text) => {
    const entries = text.split(",").map((entry) => parse(entry.trim()));
    return entries.every((entry) => entry !== undefined) ? entries : undefined;
  };

const port: Parse<number> = (text) =>
  /^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : undefined;
const path = matching((text) => !text.includes("\0"));
const domainName: Parse<string> = (text) => (isEmailAddress(`x@${text}`) ? text.toLowerCase() : undefined);
const hostName: Parse<string> = (text) => (isIP(text) ? text.toLowerCase() : domainName(text));

/** Parses an origin as browsers write it. */
const origin: Parse<string> = (text) => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isOrigin = url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`;
  return isOrigin && !url.host.includes("*") ? url.origin : undefined;
};

/** Parses an HTTP or HTTPS URL that does not end with a path which is added to it. */
const httpUrl = (addedPath?: string): Parse<string> =>
  matching(
    (text) =>
      URL.canParse(text) &&
      /^https?:$/.test(new URL(text).protocol) &&
      (addedPath === undefined || !text.endsWith(addedPath)),
  );
const sentryDsn = matching((text) => httpUrl()(text) !== undefined && new URL(text).username !== "");
const postgresUrl = matching((text) => /^postgres(?:ql)?:\/\/./.test(text) && URL.canParse(text));

/** Parses an IP address, a network in CIDR notation, or "loopback". */
const proxy = matching((text) => {
  const [address = "", prefix = "1", ...more] = text.split("/");
  const bits = isIP(address) === 6 ? 128 : 32;
  const isPrefix = /^\d{1,3}$/.test(prefix) && Number(prefix) >= 1 && Number(prefix) <= bits;
  return text === "loopback" || (isIP(address) !== 0 && isPrefix && more.length === 0);
});

/** Parses the address of a DNS server as `node:dns` accepts it. */
const resolver = matching((text) => {
  if (isIP(text)) return true;
  const [, six = "", four = "", number = ""] = /^(?:\[(.*)\]|([\d.]+)):(\d{1,5})$/.exec(text) ?? [];
  return Number(number) >= 1 && Number(number) <= 65_535 && (isIP(six) === 6 || isIP(four) === 4);
});

const hopSchemes: Readonly<Record<string, Pick<NextHop, "port" | "secure">>> = {
  "smtp:": { port: 25, secure: false },
  "smtps:": { port: 465, secure: true },
};

/** Parses `smtp://` or `smtps://user:pass@host:port`; user and password are percent-encoded. */
const nextHop: Parse<NextHop> = (text) => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const scheme = url && hopSchemes[url.protocol];
  if (!scheme || !url.hostname || !/^\/?$/.test(url.pathname) || url.port === "0") return undefined;
  if (url.username !== "" && url.password === "") return undefined;
  try {
    return {
      host: url.hostname.replace(/^\[|\]$/g, ""),
      port: url.port === "" ? scheme.port : Number(url.port),
      secure: scheme.secure,
      user: decodeURIComponent(url.username) || undefined,
      password: decodeURIComponent(url.password) || undefined,
    };
  } catch {
    return undefined;
  }
};

/** One environment variable. */
interface Setting<A, D> {
  /** The value for an absent or empty variable. */
  readonly defaultValue: D;
  /** A description of valid values, as the end of a sentence. */
  readonly expected: string;
  readonly parse: Parse<A>;
  /** Whether the text may contain a secret that error messages must not repeat. */
  readonly isSecret: boolean;
}

const setting = <A, D>(defaultValue: D, expected: string, parse: Parse<A>): Setting<A, D> => ({
  defaultValue,
  expected,
  parse,
  isSecret: false,
});
const secret = <A>(expected: string, parse: Parse<A>): Setting<A, null> => ({
  ...setting(null, expected, parse),
  isSecret: true,
});

const aPort = "a port from 0 to 65535";
const logLevels = ["silent", "fatal", "error", "warn", "info", "debug", "trace"] as const;
/** Price ids: first the one that is sold, then earlier ones. Secret, because an operator may put a key here. */
const price = secret(
  "a price id (price_…); after a comma, earlier ones that are still valid",
  listOf(matching((id) => /^(?:price|plan)_\w+$/.test(id))),
);

/** All environment variables that the server reads. The README's table documents them. */
export const settings = {
  BRAND: setting(
    "Bauta",
    "a name of at most 40 characters",
    matching(({ length }) => length <= 40),
  ),
  PORT: setting(3_000, aPort, port),
  SMTP_PORT: setting(2_525, aPort, port),
  HOST: setting("127.0.0.1", "the IP address or host name to listen on", hostName),
  SMTP_HOST: setting(
    null,
    "the IP address or host name to take mail on, or nothing for the value of HOST",
    hostName,
  ),
  POSTMASTER: setting(null, "an e-mail address outside MASK_DOMAIN", matching(isEmailAddress)),
  TLS_CERT: setting(null, "a PEM file with the certificate chain of the mail server", path),
  TLS_KEY: setting(null, "a PEM file with the key of TLS_CERT", path),
  TRUSTED_PROXIES: setting(
    ["loopback"],
    "addresses or networks such as 192.0.2.7,10.1.0.0/16,loopback, separated by commas",
    listOf(proxy),
  ),
  DATA_DIR: setting("data", "a folder", path),
  MASK_DOMAIN: setting("masks.localhost", "a domain name such as masks.example.org", domainName),
  PUBLIC_URL: setting(null, "an origin such as https://mail.example.org, without a path", origin),
  CORS_ORIGINS: setting(
    [],
    "origins such as https://app.example.org, separated by commas, without paths or stars",
    listOf(origin),
  ),
  NEXT_HOP: secret("smtp://host:port or smtps://user:password@host:port", nextHop),
  DATABASE_URL: secret(
    "postgresql://user:password@host:port/database, or nothing for SQLite in DATA_DIR",
    postgresUrl,
  ),
  DNS_SERVER: setting(null, "the IP address of a resolver, with :port if it is not 53", resolver),
  RSPAMD_URL: setting(
    null,
    "the address of rspamd's worker, such as http://127.0.0.1:11333",
    httpUrl("/checkv2"),
  ),
  AI_URL: setting(
    null,
    "the base of an OpenAI-compatible API, such as http://127.0.0.1:11434/v1",
    httpUrl("/chat/completions"),
  ),
  AI_MODEL: setting(
    null,
    "the name of a model at AI_URL",
    matching(({ length }) => length <= 200),
  ),
  AI_KEY: secret(
    "the key of AI_URL, without spaces",
    matching((text) => /^[\x21-\x7e]+$/.test(text)),
  ),
  LOG_LEVEL: setting("info", `one of ${logLevels.join(", ")}`, oneOf(logLevels)),
  SENTRY_DSN: setting(
    null,
    "the DSN of a Sentry project, such as https://key@sentry.example.org/1",
    sentryDsn,
  ),
  TELEMETRY_ENDPOINT: setting(
    null,
    "the address of an OpenTelemetry collector, such as https://otel.example.org, without /v1/traces",
    httpUrl("/v1/traces"),
  ),
  DEFAULT_TIER: setting(null, `one of ${tiers.join(", ")}`, oneOf(tiers)),
  STRIPE_SECRET_KEY: secret(
    "a secret key (sk_…) or restricted key (rk_…) of Stripe",
    matching((text) => /^[sr]k_\w+$/.test(text)),
  ),
  STRIPE_PUBLISHABLE_KEY: secret(
    "a publishable key (pk_…) of Stripe",
    matching((text) => /^pk_\w+$/.test(text)),
  ),
  STRIPE_WEBHOOK_SECRET: secret(
    "the signing secret (whsec_…) of the webhook endpoint",
    matching((text) => /^whsec_[\w+/=]+$/.test(text)),
  ),
  STRIPE_PRICE_BASIC: price,
  STRIPE_PRICE_PRO: price,
  STRIPE_PRICE_PREMIUM: price,
  STRIPE_API_BASE: setting(
    null,
    "an origin such as http://127.0.0.1:12111, or nothing for Stripe itself",
    origin,
  ),
  DEV_RELOAD_ORIGIN: setting(null, "an origin such as http://127.0.0.1:3001", origin),
};

type Variable = keyof typeof settings;
type Value<Name extends Variable> =
  | NonNullable<ReturnType<(typeof settings)[Name]["parse"]>>
  | (typeof settings)[Name]["defaultValue"];

/** Creates the function that reads one variable; it throws a `SettingError` when the text is invalid. */
export const createReadSetting =
  (environment: NodeJS.ProcessEnv) =>
  <Name extends Variable>(variable: Name): Value<Name> => {
    const { defaultValue, expected, parse, isSecret }: Setting<unknown, unknown> = settings[variable];
    const text = environment[variable]?.trim() ?? "";
    const value = text === "" ? defaultValue : parse(text);
    if (value !== undefined) return value as Value<Name>;
    const actual = isSecret ? "set to an invalid value" : JSON.stringify(text);
    throw new SettingError(`${variable} is ${actual}; expected ${expected}.`);
  };
