import * as t from "io-ts";
import { refined, withMessage } from "../api/textCodecs.ts";

/** A mail address as in RFC 5321, in the case its owner typed it. */
export type EmailAddress = string;

// NOTE: expressions with Unicode classes as constants of the module are parsed when it loads, which takes longer than all the rest;
// inside functions they are parsed at their first use.
const isLocalPart = (text: string): boolean =>
  /^[\p{L}\p{N}\p{M}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{N}\p{M}!#$%&'*+/=?^_`{|}~-]+)*$/u.test(text);
const isDomain = (text: string): boolean =>
  /^(?=.{1,253}$)(?:[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}-]{0,61}[\p{L}\p{N}\p{M}])?\.)*[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}-]{0,61}[\p{L}\p{N}\p{M}])?$/u.test(
    text,
  );

/** Returns the number of octets of a text in UTF-8. */
export const octets = (text: string): number => encodeURIComponent(text).replace(/%../g, "_").length;

/**
 * True if mail can be sent to the address on the public network: a dot-atom of at most 64 octets, "@", a host name; 254 octets in
 * all (RFC 5321, 4.5.3.1; RFC 6531 for other scripts). Quoted local parts and address literals are legal but refused, because no
 * provider offers them and many programs misread them, and so are characters that nobody sees.
 */
export const isEmailAddress = (text: string): boolean => {
  const at = text.lastIndexOf("@");
  if (at < 1 || /[\p{DI}\p{Surrogate}]/u.test(text)) return false;
  return (
    isLocalPart(text.slice(0, at)) &&
    isDomain(text.slice(at + 1)) &&
    !/^[\d.]+$/.test(text.slice(at + 1)) &&
    octets(text.slice(0, at)) <= 64 &&
    octets(text) <= 254
  );
};

/**
 * True if the domain has a dot or is this machine: a single name such as "example" is a typing error, because no public domain
 * receives mail without a dot.
 */
const hasFullDomain = (address: EmailAddress): boolean => {
  const name = domainOf(address).toLowerCase();
  return name.includes(".") || name === "localhost";
};

interface MailboxKeyBrand {
  readonly MailboxKey: unique symbol;
}

/** The key under which a mailbox is stored: lower case in one Unicode form. `mailboxKey` is the only way to one. */
export type MailboxKey = t.Branded<string, MailboxKeyBrand>;

/** The most characters that are brought into one form: more are no address, and sorting their marks takes the square of them. */
const maxNormalized = 1_000;

/** NFC, or the form that is given. */
const normalized = (text: string, form?: "NFKC"): string =>
  text.length > maxNormalized ? text : text.normalize(form);

/** Returns the key under which all spellings of a mailbox with a domain in one script are equal. */
export const mailboxKey = (address: EmailAddress): MailboxKey =>
  normalized(address).toLowerCase() as MailboxKey;

export const localPartOf = (address: EmailAddress): string => address.slice(0, address.lastIndexOf("@"));
export const domainOf = (address: EmailAddress): string => address.slice(address.lastIndexOf("@") + 1);

/** Many providers deliver "me+shop@…" to "me@…" (RFC 5233). */
export const withoutTag = (address: EmailAddress): EmailAddress =>
  `${localPartOf(address).split("+", 1)[0]}@${domainOf(address)}`;

/** True if one domain in lower case is the other or a subdomain of it. */
export const isRelatedDomain = (one: string, other: string): boolean =>
  one === other || one.endsWith(`.${other}`) || other.endsWith(`.${one}`);

/** Writes the letters and dots of a domain in their usual width, as browsers do. */
export const withPlainDomain = (address: string): string => {
  const at = address.lastIndexOf("@") + 1;
  return address.slice(0, at) + normalized(address.slice(at), "NFKC").replaceAll("。", ".");
};

/** Decodes trimmed text in the Unicode form of `mailboxKey`, so that mail reaches the owner of that key. */
const trimmedText: t.Type<string, string, unknown> = new t.Type(
  "e-mail address",
  t.string.is,
  (u, context) =>
    typeof u === "string"
      ? // The lookbehind keeps the search linear.
        t.success(withPlainDomain(normalized(u.replace(/^[\p{Zs}\t]+|(?<![\p{Zs}\t])[\p{Zs}\t]+$/gu, ""))))
      : t.failure(u, context),
  (value) => value,
);

/** Creates the codec of an address, with the messages of SI2 for an empty and for an invalid one. */
export const emailAddress = (messages: {
  readonly required: string;
  readonly invalid: string;
}): t.Type<EmailAddress, string, unknown> =>
  refined(
    refined(withMessage(trimmedText, messages.required), (text) => text !== "", messages.required),
    (text) => isEmailAddress(text) && hasFullDomain(text),
    messages.invalid,
  );
