import { domainToUnicode } from "node:url";
import { toDomainName } from "../../../core/mail/domainName.ts";
import { domainOf, localPartOf, type MailboxKey, mailboxKey } from "../../../core/mail/emailAddress.ts";

/**
 * Returns the keys under which a mailbox may be stored: the one that it is asked for with, and those with its domain in
 * the other script.
 */
export const storedKeysOf = (key: MailboxKey): readonly MailboxKey[] => {
  const domain = toDomainName(domainOf(key));
  if (domain === null) return [key];
  const spelled = [domain, domainToUnicode(domain) || domain].map((name) =>
    mailboxKey(`${localPartOf(key)}@${name}`),
  );
  return [...new Set([key, ...spelled])];
};

/** Returns the row of a mailbox, that of the key as it is written before one in another script. */
export const rowOfMailbox = <Row extends { readonly email_key: MailboxKey }>(
  rows: readonly Row[],
  key: MailboxKey,
): Row | undefined => rows.find((row) => row.email_key === key) ?? rows[0];
