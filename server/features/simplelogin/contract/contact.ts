import type { Correspondent } from "../../../../core/correspondents/correspondentEndpoints.ts";
import { type EmailAddress, isEmailAddress } from "../../../../core/mail/emailAddress.ts";
import type { Sender } from "../../../../core/mail/forwardedFrom.ts";
import { byTable } from "../../../platform/answers/byTable.ts";
import type { Contact } from "./simpleLoginAliasEndpoints.ts";
import { dateOf, secondsOf } from "./simpleLoginValues.ts";

const maxName = 100;

const nameIn = (text: string): string =>
  Array.from(
    text
      .replace(/["\\]/g, "")
      .replace(/[\s\p{C}]+/gu, " ")
      .trim(),
  )
    .slice(0, maxName)
    .join("");

/** Returns name and address of `Name <address>`, or of a text that is the address; null without one. */
export const readContact = (text: string): Sender | null => {
  const open = text.lastIndexOf("<");
  const end = text.indexOf(">", open);
  const isNamed = open >= 0 && end > open;
  const address = (isNamed ? text.slice(open + 1, end) : text).trim();
  return isEmailAddress(address) ? { name: isNamed ? nameIn(text.slice(0, open)) : "", address } : null;
};

/** Returns a reverse address with the name that a mail program shows for it. */
export const reverseAliasOf = ({ name, address }: Sender, reverseAddress: EmailAddress): string => {
  const shown = name.replace(/["\\<>]/g, "").trim() || address.replace("@", " at ");
  return `"${shown}" <${reverseAddress}>`;
};

interface ContactSource {
  readonly correspondent: Correspondent;
  readonly id: number;
  readonly existed: boolean;
}

/** Returns a correspondent as a contact. */
export const toContact = byTable<ContactSource, Contact>({
  id: ({ id }) => id,
  contact: ({ correspondent }) => correspondent.address,
  creation_date: ({ correspondent }) => dateOf(correspondent.created),
  creation_timestamp: ({ correspondent }) => secondsOf(correspondent.created),
  last_email_sent_date: ({ correspondent: { lastSent } }) => lastSent && dateOf(lastSent),
  last_email_sent_timestamp: ({ correspondent: { lastSent } }) =>
    lastSent === null ? null : secondsOf(lastSent),
  reverse_alias: ({ correspondent }) => reverseAliasOf(correspondent, correspondent.reverseAddress),
  reverse_alias_address: ({ correspondent }) => correspondent.reverseAddress,
  existed: ({ existed }) => existed,
  block_forward: ({ correspondent }) => correspondent.blocked || correspondent.blockedDomain !== undefined,
});
