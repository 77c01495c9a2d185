import { isIP } from "node:net";
import { isEmailAddress } from "../../core/mail/emailAddress.ts";
import type { Setting } from "./setting.ts";

/** A port; 0 for one that is free. */
export const port = (variable: string, standard: number): Setting<number> => ({
  variable,
  standard,
  wants: "a port number from 0 to 65535",
  read: (text) => (/^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : undefined),
});

/** An origin as browsers write it. */
export const origin = (text: string): string | undefined => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isOrigin = url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`;
  return isOrigin && !url.host.includes("*") ? url.origin : undefined;
};

/** An address a browser can send to. */
export const httpAddress = (text: string): string | undefined =>
  URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) ? text : undefined;

/** A name or an address that a machine can have. */
export const hostName = (text: string): string | undefined =>
  isIP(text) || isEmailAddress(`x@${text}`) ? text.toLowerCase() : undefined;

/** An address, a network in CIDR notation, or this machine. */
export const isProxy = (text: string): boolean => {
  const [address = "", prefix, ...more] = text.split("/");
  const bits = isIP(address) === 6 ? 128 : 32;
  const isPrefix =
    prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) >= 1 && Number(prefix) <= bits);
  return text === "loopback" || (isIP(address) !== 0 && isPrefix && more.length === 0);
};

/** The address of a DNS server as `node:dns` takes it. */
export const resolver = (text: string): string | undefined => {
  if (isIP(text)) return text;
  const [, six, four, port = ""] = /^(?:\[(.*)\]|([\d.]+)):(\d{1,5})$/.exec(text) ?? [];
  const isPort = Number(port) >= 1 && Number(port) <= 65_535;
  return isPort && (isIP(six ?? "") === 6 || isIP(four ?? "") === 4) ? text : undefined;
};

/** The path of a file. */
export const file = (variable: string, wants: string): Setting<string | null> => ({
  variable,
  standard: null,
  wants,
  read: (text) => (text.includes("\0") ? undefined : text),
});

/** A key of Stripe's. */
export const stripe = (variable: string, wants: string, form: RegExp): Setting<string | null> => ({
  variable,
  standard: null,
  wants,
  read: (text) => (form.test(text) ? text : undefined),
  secret: true,
});

/** Prices of Stripe's: the one that is sold, then earlier ones that are still honoured. */
export const stripePrice = (variable: string): Setting<readonly string[]> => ({
  variable,
  standard: [],
  wants: "a price id (price_…); after a comma earlier ones that are still honoured",
  read: (text) => {
    const ids = text.split(",").map((id) => id.trim());
    return ids.every((id) => /^(?:price|plan)_\w+$/.test(id)) ? ids : undefined;
  },
  // Whoever mixes up the lines may have put a key here.
  secret: true,
});
