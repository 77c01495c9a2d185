import { domainOf, localPartOf, mailboxKey, withoutTag } from "../../../core/mail/emailAddress.ts";

/** The domains of Gmail, which ignores dots in local parts and has two names. */
export const dotlessDomains: ReadonlySet<string> = new Set(["gmail.com", "googlemail.com"]);

/**
 * Returns what all addresses have in common that most providers deliver to one mailbox: the address without a tag, and at
 * Gmail without dots. A hint alone: elsewhere the same spellings may be two people.
 */
export const commonSpelling = (address: string): string => {
  const key = mailboxKey(withoutTag(address));
  const domain = domainOf(key);
  return dotlessDomains.has(domain) ? `${localPartOf(key).replaceAll(".", "")}@gmail.com` : key;
};
