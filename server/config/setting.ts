import { isIP } from "node:net";
import { isEmailAddress } from "../../core/mail/emailAddress.ts";

/** One environment variable with its parser and its error text. */
export interface Setting<A> {
  readonly variable: string;
  /** The value for an absent or empty variable. */
  readonly defaultValue: A;
  /** A description of valid values, as the end of a sentence. */
  readonly expected: string;
  /** Parses the text; returns undefined when it is invalid. */
  readonly read: (text: string) => A | undefined;
  /** Whether the text may contain a secret that error messages must not repeat. */
  readonly secret?: boolean;
}

/** An invalid setting; `message` is one line with the variable, its value, and the expected value. */
export class SettingError extends Error {}

/** Reads one setting from the environment; throws a `SettingError` when its text is invalid. */
export const readSetting = <A>(setting: Setting<A>, environment: NodeJS.ProcessEnv): A => {
  const text = environment[setting.variable]?.trim() ?? "";
  if (text === "") return setting.defaultValue;
  const value = setting.read(text);
  if (value !== undefined) return value;
  const actual = setting.secret ? "set to an invalid value" : JSON.stringify(text);
  throw new SettingError(`${setting.variable} is ${actual}; expected ${setting.expected}.`);
};

/** A port setting; 0 selects a free port. */
export const port = (variable: string, defaultValue: number): Setting<number> => ({
  variable,
  defaultValue,
  expected: "a port from 0 to 65535",
  read: (text) => (/^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : undefined),
});

/** Parses an origin as browsers write it. */
export const origin = (text: string): string | undefined => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isOrigin = url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`;
  return isOrigin && !url.host.includes("*") ? url.origin : undefined;
};

/** Parses an HTTP or HTTPS URL. */
export const httpAddress = (text: string): string | undefined =>
  URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) ? text : undefined;

/** Parses a host name or an IP address. */
export const hostName = (text: string): string | undefined =>
  isIP(text) || isEmailAddress(`x@${text}`) ? text.toLowerCase() : undefined;

/** Returns whether the text is an IP address, a network in CIDR notation, or "loopback". */
export const isProxy = (text: string): boolean => {
  const [address = "", prefix, ...more] = text.split("/");
  const bits = isIP(address) === 6 ? 128 : 32;
  const isPrefix =
    prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) >= 1 && Number(prefix) <= bits);
  return text === "loopback" || (isIP(address) !== 0 && isPrefix && more.length === 0);
};

/** Parses the address of a DNS server as `node:dns` accepts it. */
export const resolver = (text: string): string | undefined => {
  if (isIP(text)) return text;
  const [, six, four, port = ""] = /^(?:\[(.*)\]|([\d.]+)):(\d{1,5})$/.exec(text) ?? [];
  const isPort = Number(port) >= 1 && Number(port) <= 65_535;
  return isPort && (isIP(six ?? "") === 6 || isIP(four ?? "") === 4) ? text : undefined;
};

/** A setting with a file path. */
export const file = (variable: string, expected: string): Setting<string | null> => ({
  variable,
  defaultValue: null,
  expected,
  read: (text) => (text.includes("\0") ? undefined : text),
});

/** A setting with a Stripe key. */
export const stripe = (variable: string, expected: string, form: RegExp): Setting<string | null> => ({
  variable,
  defaultValue: null,
  expected,
  read: (text) => (form.test(text) ? text : undefined),
  secret: true,
});

/** A setting with Stripe price ids: first the one that is sold, then earlier ones that are still valid. */
export const stripePrice = (variable: string): Setting<readonly string[]> => ({
  variable,
  defaultValue: [],
  expected: "a price id (price_…); after a comma, earlier ones that are still valid",
  read: (text) => {
    const ids = text.split(",").map((id) => id.trim());
    return ids.every((id) => /^(?:price|plan)_\w+$/.test(id)) ? ids : undefined;
  },
  // Secret, because an operator who confuses the lines may have put a key here.
  secret: true,
});
