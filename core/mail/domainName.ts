import * as t from "io-ts";
import { withMessage } from "../api/textCodecs.ts";
import { domainOf, type EmailAddress } from "./emailAddress.ts";
import { punycode } from "./punycode.ts";

interface DomainNameBrand {
  readonly DomainName: unique symbol;
}

/**
 * A domain in the one spelling in which domains are compared: A-labels in lower case, without a final dot. `toDomainName`
 * is the only way to one.
 */
export type DomainName = t.Branded<string, DomainNameBrand>;

const label = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
const namePattern = new RegExp(`^(?=.{1,253}$)(?:${label}\\.)*${label}$`);

/** True if text is a domain in the spelling in which domains are compared; an IP address is none. */
export const isDomainName = (text: string): text is DomainName =>
  namePattern.test(text) && !/(?:^|\.)(?:\d+|0x[\da-f]*)$/.test(text);

/** The most characters of a domain in other scripts, each of which takes one octet or more as an A-label. */
const longest = 254;

/**
 * Maps the letters of a domain as browsers do (UTS 46): lower case, letters of the usual width, NFC. One at a time, because
 * a final sigma is another letter.
 */
const mapLetters = (text: string): string =>
  Array.from(text, (character) => character.normalize("NFKC").toLowerCase().normalize("NFKC"))
    .join("")
    .normalize("NFC");

const readLabel = (text: string): string => (/^[\0-\x7f]*$/.test(text) ? text : `xn--${punycode(text)}`);

/**
 * True if every character is a letter, a digit, a mark inside a label or a hyphen, none is invisible, and none is one of the few
 * that browsers map to another letter than its small form.
 */
const isReadable = (text: string): boolean =>
  /^[\p{L}\p{N}][\p{L}\p{N}\p{M}-]*(?:\.[\p{L}\p{N}][\p{L}\p{N}\p{M}-]*)*$/u.test(text) &&
  !/\u0345|[\p{Default_Ignorable_Code_Point}\p{Script=Cherokee}\u03f2\u03f9\u1c80-\u1c8f\u{1d6a8}-\u{1d7cb}]/u.test(
    text.normalize("NFD"),
  );

/**
 * Returns the domain that a spelling names, with any of the four dots of IDNA and with a final one or without; null for
 * other text, and for characters that nobody sees.
 */
export const toDomainName = (spelling: string): DomainName | null => {
  if (isDomainName(spelling)) return spelling;
  if (spelling.length > longest) return null;
  const dotted = spelling.replace(/[\u3002\uff0e\uff61]/g, ".").replace(/\.$/, "");
  if (!isReadable(dotted)) return null;
  const mapped = mapLetters(dotted);
  if (!isReadable(mapped)) return null;
  const name = mapped.split(".").map(readLabel).join(".");
  return isDomainName(name) ? name : null;
};

/** Creates the codec of a domain in any spelling, also after an "@"; `message` says what is expected. */
export const domainName = (message: string): t.Type<DomainName, string, unknown> =>
  withMessage(
    new t.Type<DomainName, string, unknown>(
      "domain",
      (u): u is DomainName => typeof u === "string" && isDomainName(u),
      (u, context) => {
        const name = typeof u === "string" ? toDomainName(u.trim().replace(/^@/, "")) : null;
        return name === null ? t.failure(u, context) : t.success(name);
      },
      (name) => name,
    ),
    message,
  );

/** True if two domains are one. */
export const isSameDomain = (one: DomainName, other: DomainName): boolean => one === other;

/** True if a host, in any spelling, has the name of a domain. */
export const isNameOf = (host: string, domain: DomainName): boolean => {
  const name = toDomainName(host);
  return name !== null && isSameDomain(name, domain);
};

/** True if an address, in any spelling, is at a domain. */
export const isAtDomain = (address: EmailAddress, domain: DomainName): boolean =>
  isNameOf(domainOf(address), domain);

/** True if a domain is the other one or a sub-domain of it. */
export const isWithinDomain = (inner: DomainName, outer: DomainName): boolean =>
  isSameDomain(inner, outer) || inner.endsWith(`.${outer}`);
