import type * as t from "io-ts";
import { toDomainName } from "./domainName.ts";
import { domainOf, type EmailAddress, localPartOf, mailboxKey } from "./emailAddress.ts";

interface MailboxNameBrand {
  readonly MailboxName: unique symbol;
}

/**
 * A mailbox in the one spelling in which mailboxes are compared: its key, with the domain as a `DomainName`. `mailboxName`
 * is the only way to one.
 */
export type MailboxName = t.Branded<string, MailboxNameBrand>;

/** Returns the name of a mailbox, the same for all spellings of its address; of other text, its key. */
export const mailboxName = (address: EmailAddress): MailboxName => {
  const domain = address.includes("@") ? toDomainName(domainOf(address)) : null;
  const name: string = mailboxKey(domain === null ? address : `${localPartOf(address)}@${domain}`);
  return name as MailboxName;
};

/** True if two addresses, in any spelling, are those of one mailbox. */
export const isSameMailbox = (one: EmailAddress, other: EmailAddress): boolean =>
  mailboxName(one) === mailboxName(other);
