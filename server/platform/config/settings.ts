import { isIP } from "node:net";
import { resolve } from "node:path";
import { toDomainName } from "../../../core/mail/domainName.ts";
import { isEmailAddress, mailboxKey } from "../../../core/mail/emailAddress.ts";
import type { RepliesPerDay } from "../../../core/tiers/tier.ts";

/** An invalid setting; `message` is one line with the variable, its value, and the expected value. */
export class SettingError extends Error {}

/** The mail server that outgoing mail is sent to. */
export interface NextHop {
  readonly host: string;
  readonly port: number;
  /** True if TLS starts with the connection; otherwise STARTTLS is used when offered. */
  readonly secure: boolean;
  readonly user?: string | undefined;
  readonly password?: string | undefined;
}

/** The description, which ends a sentence, and the parser of a variable's values. */
export interface Format<A> {
  readonly expected: string;
  /** Returns undefined for an invalid text. */
  readonly parse: (text: string) => A | undefined;
}

const format = <A>(expected: string, parse: Format<A>["parse"]): Format<A> => ({ expected, parse });
export const matching = (expected: string, isValid: (text: string) => boolean) =>
  format(expected, (text) => (isValid(text) ? text : undefined));
export const pattern = (expected: string, regExp: RegExp) => matching(expected, (text) => regExp.test(text));
export const oneOf = <A extends string>(values: readonly A[]) =>
  format(`one of ${values.join(", ")}`, (text) => values.find((value) => value === text));
/** Texts between commas. */
export const listOf = ({ expected, parse }: Format<string>) =>
  format<readonly [string, ...string[]]>(expected, (text) => {
    const entries = text.split(",").map((entry) => parse(entry.trim()));
    const [first, ...more] = entries.filter((entry) => entry !== undefined);
    return first !== undefined && more.length + 1 === entries.length ? [first, ...more] : undefined;
  });

const isPort = (text: string, first = 0) =>
  /^\d{1,5}$/.test(text) && Number(text) >= first && Number(text) <= 65_535;
export const port = format("a port from 0 to 65535", (text) => (isPort(text) ? Number(text) : undefined));
/** The address and port of a listener. */
export const listenAddress = format(
  "an IP address and a port, such as 127.0.0.1:9464 or [::]:9464",
  (text) => {
    const [, six, four, number = ""] = /^(?:\[([^\]]+)\]|([\d.]+)):(\d{1,5})$/.exec(text) ?? [];
    const host = six ?? four ?? "";
    const isAddress = isIP(host) === (six === undefined ? 4 : 6);
    return isAddress && isPort(number, 1) ? { host, port: Number(number) } : undefined;
  },
);
/** A path, made absolute. */
export const path = (expected: string) =>
  format(expected, (text) => (text.includes("\0") ? undefined : resolve(text)));

const parseDomain = (text: string) => toDomainName(text) ?? undefined;
export const domainName = format("a domain name such as masks.example.org", parseDomain);
export const hostName = (expected: string) =>
  format(expected, (text) => (isIP(text) ? text.toLowerCase() : parseDomain(text)));

const parseAddress = (text: string) => (isEmailAddress(text) ? mailboxKey(text) : undefined);
export const addresses = listOf(
  format("addresses such as me@example.org, separated by commas", parseAddress),
);
export const addressesAndDomains = listOf(
  format(
    "addresses and domains such as me@example.org,example.com, separated by commas",
    (text) => parseAddress(text) ?? parseDomain(text.replace(/^@/, "")),
  ),
);

const isHttpUrl = (text: string) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
/** An HTTP or HTTPS URL that does not end with the path which is added to it. */
export const httpUrl = (expected: string, addedPath: string) =>
  matching(expected, (text) => isHttpUrl(text) && !text.endsWith(addedPath));
/** An origin as browsers write it. */
export const origin = (expected: string) =>
  format(expected, (text) => {
    const url = isHttpUrl(text) ? new URL(text) : undefined;
    return url?.href === `${url?.origin}/` && !url.host.includes("*") ? url.origin : undefined;
  });
/** The address of the app: an origin, with a path where the app shares its host. The path has no slash at its end. */
export const publicUrl = (expected: string) =>
  format(expected, (text) => {
    const [, start = "", path = ""] = /^([^/]*\/\/[^/]+)((?:\/[\w~-][\w.~-]*)*)\/?$/.exec(text) ?? [];
    const found = origin(expected).parse(start);
    return found && `${found}${path}`;
  });
export const origins = listOf(
  origin("origins such as https://app.example.org, separated by commas, without paths or stars"),
);
export const sentryDsn = matching(
  "the DSN of a Sentry project, such as https://key@sentry.example.org/1",
  (text) => isHttpUrl(text) && new URL(text).username !== "",
);
export const telemetryEndpoint = httpUrl(
  "the address of an OpenTelemetry collector, such as https://otel.example.org, without /v1/traces",
  "/v1/traces",
);
export const postgresUrl = (expected: string) =>
  matching(expected, (text) => /^postgres(?:ql)?:\/\/./.test(text) && URL.canParse(text));
/** A bucket of an S3-compatible store; the prefix is empty or ends in a slash. */
export interface Bucket {
  readonly bucket: string;
  readonly prefix: string;
  /** An origin. */
  readonly endpoint: string;
  readonly region: string;
}
export const bucketUrl = format(
  "s3://bucket/prefix?endpoint=https://s3.example.org&region=us-east-1",
  (text): Bucket | undefined => {
    const [, bucket = "", path = "", query = ""] =
      /^s3:\/\/([a-z0-9][a-z0-9.-]{1,62})(?:\/([\w./-]{0,200}))?(?:\?(.*))?$/.exec(text) ?? [];
    if (bucket === "") return undefined;
    const options = new URLSearchParams(query);
    const region = options.get("region") ?? "us-east-1";
    const endpoint = options.get("endpoint") ?? `https://s3.${region}.amazonaws.com`;
    const isKnown = [...options.keys()].every((name) => name === "endpoint" || name === "region");
    if (!isKnown || !/^[\w-]{1,64}$/.test(region) || !isHttpUrl(endpoint)) return undefined;
    const { origin, href } = new URL(endpoint);
    const prefix = path.replace(/\/+$/, "");
    const isClean = prefix.split("/").every((part) => part !== "." && part !== "..");
    if (href !== `${origin}/` || !isClean || (prefix !== "" && /^\/|\/\//.test(prefix))) return undefined;
    return { bucket, prefix: prefix && `${prefix}/`, endpoint: origin, region };
  },
);
export const proxies = listOf(
  matching("addresses or networks such as 192.0.2.7,10.1.0.0/16,loopback, separated by commas", (text) => {
    const [address = "", prefix = "1", ...more] = text.split("/");
    const bits = isIP(address) === 6 ? 128 : 32;
    const isPrefix = /^\d{1,3}$/.test(prefix) && Number(prefix) >= 1 && Number(prefix) <= bits;
    return text === "loopback" || (isIP(address) !== 0 && isPrefix && more.length === 0);
  }),
);
/** A whole number within bounds. */
export const wholeNumber = (first: number, last: number) =>
  format(`a whole number from ${first} to ${last}`, (text) =>
    /^\d{1,9}$/.test(text) && Number(text) >= first && Number(text) <= last ? Number(text) : undefined,
  );
/** Replies a day with Free, Basic, Pro, and above; the last also where nothing is sold. */
export const repliesPerDay = format<RepliesPerDay>(
  "four whole numbers for Free, Basic, Pro and above, such as 50,200,500,1000",
  (text) => {
    if (!/^\d{1,6}(?:,\d{1,6}){3}$/.test(text)) return undefined;
    const [free = 0, basic = 0, pro = 0, above = 0] = text.split(",").map(Number);
    return { free, basic, pro, pro_premium: above, business: above, self_hosted: above };
  },
);
/** Networks; "none" is an empty list. */
export const networks = format<readonly string[]>(`${proxies.expected}, or none`, (text) =>
  text === "none" ? [] : proxies.parse(text),
);
/** One IPv4 address, one IPv6 address, or both. */
export const sourceAddresses = format<readonly string[]>(
  "an IPv4 address, an IPv6 address, or both separated by a comma",
  (text) => {
    const all = text.split(",").map((one) => one.trim());
    const families = all.map((one) => isIP(one));
    return families.includes(0) || new Set(families).size < all.length ? undefined : all;
  },
);
export const domainNames = listOf(
  format("domain names such as lists.example.org, separated by commas", parseDomain),
);
/** The address of a DNS server as `node:dns` accepts it. */
export const resolver = matching("the IP address of a resolver, with :port if it is not 53", (text) => {
  const [, six = "", four = "", number = ""] = /^(?:\[(.*)\]|([\d.]+)):(\d+)$/.exec(text) ?? [];
  return isIP(text) !== 0 || (isPort(number, 1) && (isIP(six) === 6 || isIP(four) === 4));
});
/** A user and a password are percent-encoded; "mx" are the mail servers of the recipients. */
export const nextHop = format(
  "mx, smtp://host:port or smtps://user:password@host:port",
  (text): NextHop | "mx" | undefined => {
    if (text === "mx") return text;
    const url = URL.canParse(text) && /^smtps?:/i.test(text) ? new URL(text) : undefined;
    if (!url?.hostname || !/^\/?$/.test(url.pathname) || url.port === "0") return undefined;
    if (url.username !== "" && url.password === "") return undefined;
    const secure = url.protocol === "smtps:";
    try {
      return {
        host: url.hostname.replace(/^\[|\]$/g, ""),
        port: Number(url.port) || (secure ? 465 : 25),
        secure,
        user: decodeURIComponent(url.username) || undefined,
        password: decodeURIComponent(url.password) || undefined,
      };
    } catch {
      return undefined;
    }
  },
);

/** A folder of a mailbox that can be read by IMAP. */
export interface ImapUrl {
  readonly host: string;
  readonly port: number;
  /** True if TLS starts with the connection; otherwise STARTTLS is used. */
  readonly secure: boolean;
  readonly user: string;
  readonly password: string | null;
  readonly folder: string;
}
/** User, password and folder are percent-encoded; the folder is INBOX where none is named. */
export const imapUrl = format(
  "imaps://user@host:993/INBOX, with the user percent-encoded (me%40example.org)",
  (text): ImapUrl | undefined => {
    const url = URL.canParse(text) && /^imaps?:/i.test(text) ? new URL(text) : undefined;
    if (!url?.hostname || url.username === "" || url.port === "0" || url.search !== "" || url.hash !== "")
      return undefined;
    const secure = url.protocol === "imaps:";
    try {
      const folder = decodeURIComponent(url.pathname.slice(1)) || "INBOX";
      const user = decodeURIComponent(url.username);
      const password = decodeURIComponent(url.password) || null;
      if (/[\0-\x1f\x7f]/.test(folder + user + (password ?? ""))) return undefined;
      const host = url.hostname.replace(/^\[|\]$/g, "");
      return { host, port: Number(url.port) || (secure ? 993 : 143), secure, user, password, folder };
    } catch {
      return undefined;
    }
  },
);
