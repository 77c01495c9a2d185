import { domainToASCII } from "node:url";
import { getDomain } from "tldts";

/**
 * Returns the domain that an owner registers, by the public suffix list: "news.shop.co.uk" belongs to
 * "shop.co.uk". Other names and address literals are returned in lower case.
 */
export const registrableDomain = (domain: string): string => {
  const ascii = domainToASCII(domain) || domain.toLowerCase();
  return getDomain(ascii, { allowPrivateDomains: true }) ?? ascii;
};

/** True for a domain under which others register theirs, as under "co.uk" and "duckdns.org", and for an address. */
export const isSharedDomain = (ascii: string): boolean =>
  getDomain(ascii, { allowPrivateDomains: true }) === null;
