import {
  domainOf,
  type EmailAddress,
  isEmailAddress,
  localPartOf,
  octets,
  withPlainDomain,
} from "./emailAddress.ts";

/** In UTF-8: with what stands around it, more does not fit into the line of a recipient (RFC 5321, 4.5.3.1.4). */
const maxOctets = 500;

/** Dots may stand anywhere, as they do in old addresses of telephones. */
const plainLocalPart = /^[^\s@<>()[\]\\,;:"\p{Cc}\p{Cf}\p{Cs}]+$/u;
/** A quoted string (RFC 5321, 4.1.2), but for angle brackets, which many programs misread. */
const quotedLocalPart = /^"(?:[^"\\<>\p{C}\p{Z}]|\\[^<>\p{C}\p{Z}]|\\? )+"$/u;
const hostName = /^(?=.{1,253}$)[\p{L}\p{N}\p{M}_-]{1,63}(?:\.[\p{L}\p{N}\p{M}_-]{1,63})*$/u;
/** RFC 5321, 4.1.3. */
const addressLiteral = /^\[(?:\d{1,3}(?:\.\d{1,3}){3}|IPv6:[\da-f:.]{2,45})\]$/i;

/** Returns an address without the final dot of its host name, which names the same host (RFC 1034, 3.1). */
export const withoutFinalDot = (address: string): string =>
  /[^.]\.$/.test(address) ? address.slice(0, -1) : address;

/** Returns an address without quotes around a local part that needs none: both spellings are one mailbox (RFC 5321, 4.1.2). */
const withoutQuotes = (address: EmailAddress): EmailAddress => {
  const [, quoted] = /^"(.+)"@/s.exec(address) ?? [];
  if (quoted === undefined) return address;
  const plain = `${quoted.replaceAll(/\\(.)/gs, "$1")}@${domainOf(address)}`;
  return isEmailAddress(plain) ? plain : address;
};

const isOfOddForm = (address: string): boolean => {
  const localPart = localPartOf(address);
  const domain = domainOf(address);
  return (
    address.lastIndexOf("@") > 0 &&
    // Few texts are addresses, and none is so long; the expressions need not read the others.
    address.length <= maxOctets &&
    (plainLocalPart.test(localPart) || quotedLocalPart.test(localPart)) &&
    (hostName.test(domain) || addressLiteral.test(domain)) &&
    octets(address) <= maxOctets
  );
};

/**
 * Returns the address that an answer goes to when mail names this one; null when none can go there. More is answered
 * than what may become a destination or a mask (`isEmailAddress`): whoever writes from an address has it, whatever the
 * standards say. Its local part may be long, quoted, or have dots anywhere; its host may have underscores and be an
 * address literal. Letters of another width and quotes that are not needed are written as usual, so that an address has
 * one spelling.
 */
export const toAnswerable = (text: string): EmailAddress | null => {
  // Nothing longer is one, and need not be normalized.
  if (text.length > 2 * maxOctets) return null;
  const address = withoutQuotes(withoutFinalDot(withPlainDomain(text)));
  return isEmailAddress(address) || isOfOddForm(address) ? address : null;
};
