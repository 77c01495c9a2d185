import { isEmailAddress, mailboxKey } from "../../core/mail/emailAddress.ts";
import { forwardedName, type Sender } from "../../core/mail/forwardedFrom.ts";
import { fieldValues, type MailWithHeader, mailboxesIn, writeMailboxes } from "./mailFields.ts";
import type { ReverseAddress } from "./reverseAddresses.ts";
import { messageIdsIn, type ThreadIds } from "./threadIds.ts";

/** Further correspondents are removed from To and Cc. */
const maxCorrespondents = 100;

const rewrittenLists = ["reply-to", "to", "cc"] as const;
const threadFields = ["message-id", "in-reply-to", "references"] as const;
const writtenNames: Readonly<Record<string, string>> = {
  "reply-to": "Reply-To",
  to: "To",
  cc: "Cc",
  "message-id": "Message-ID",
  "in-reply-to": "In-Reply-To",
  references: "References",
};

/** Whether an address stays unchanged: the mask's and the owner's. */
export type IsOwnAddress = (address: string) => boolean;

export const createIsOwnAddress = (addresses: readonly string[]): IsOwnAddress => {
  const own = new Set(addresses.map(mailboxKey));
  return (address) => own.has(mailboxKey(address));
};

/** The mailboxes of the fields whose addresses are rewritten. */
export type AddressLists = Readonly<Record<(typeof rewrittenLists)[number], readonly Sender[]>>;

export const readAddressLists = (mail: MailWithHeader): AddressLists => ({
  "reply-to": mailboxesIn(mail, "reply-to"),
  to: mailboxesIn(mail, "to"),
  cc: mailboxesIn(mail, "cc"),
});

/** Returns everyone whom a reply to all would reach besides the owner; the author first. */
export const listCorrespondents = (
  lists: AddressLists,
  author: Sender | null,
  isOwn: IsOwnAddress,
): readonly Sender[] => {
  const everybody = [...(author ? [author] : []), ...rewrittenLists.flatMap((name) => lists[name])].filter(
    ({ address }) => isEmailAddress(address) && !isOwn(address),
  );
  const byKey = new Map<string, Sender>();
  for (const one of everybody) {
    const key = mailboxKey(one.address);
    if (!byKey.has(key)) byKey.set(key, one);
  }
  return [...byKey.values()].slice(0, maxCorrespondents);
};

/** The reverse addresses of a mail's correspondents, by the key of their address. */
export type ReverseByKey = ReadonlyMap<string, ReverseAddress>;

export const indexReverse = (addresses: readonly ReverseAddress[]): ReverseByKey =>
  new Map(addresses.map((reverse) => [mailboxKey(reverse.correspondent.address), reverse]));

/** The fields of a forwarded mail that direct replies through the mask. */
export interface ForwardedFields {
  /** The replaced original fields, in lower case. */
  readonly replaced: ReadonlySet<string>;
  /** Complete lines. */
  readonly text: string;
}

/**
 * Writes the fields for the owner's replies: other addresses in Reply-To, To and Cc become reverse addresses,
 * and thread ids those that the owner's program knows.
 */
export const writeForwardedFields = (
  mail: MailWithHeader,
  lists: AddressLists,
  reverseByKey: ReverseByKey,
  ids: ThreadIds,
  { maskDomain, isOwn }: { readonly maskDomain: string; readonly isOwn: IsOwnAddress },
): ForwardedFields => {
  const replaced = new Set<string>();
  let text = "";
  const toReverse = (sender: Sender): readonly Sender[] => {
    if (isOwn(sender.address)) return [sender];
    const reverse = reverseByKey.get(mailboxKey(sender.address));
    return reverse ? [{ name: forwardedName(sender), address: `${reverse.localPart}@${maskDomain}` }] : [];
  };
  for (const name of rewrittenLists) {
    const mailboxes = lists[name];
    if (mailboxes.every(({ address }) => isOwn(address))) continue;
    replaced.add(name);
    const written = mailboxes.flatMap(toReverse);
    if (written.length > 0) text += `${writtenNames[name]}: ${writeMailboxes(written)}\r\n`;
  }
  for (const name of threadFields) {
    const found = fieldValues(mail, name).flatMap(messageIdsIn);
    if (found.length === 0) continue;
    replaced.add(name);
    const translated = (name === "references" ? found : found.slice(0, 1)).map(ids.toOwner);
    text += `${writtenNames[name]}: ${translated.join("\r\n ")}\r\n`;
  }
  return { replaced, text };
};
