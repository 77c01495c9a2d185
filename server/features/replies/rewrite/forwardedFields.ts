import { toAnswerable } from "../../../../core/mail/answerableAddress.ts";
import { mailboxKey } from "../../../../core/mail/emailAddress.ts";
import type { Sender } from "../../../../core/mail/forwardedFrom.ts";
import { mailboxName } from "../../../../core/mail/mailboxName.ts";
import { knownTreatment, writtenName } from "../../../delivery/fieldTreatments.ts";
import { answeredMailboxes } from "../../../mime/answeredMailboxes.ts";
import { decodeEncodedWords } from "../../../mime/charsets.ts";
import { forwardedName } from "../../../mime/forwardedName.ts";
import {
  type HeaderLink,
  hasEncodedWords,
  leadsToMail,
  linkFieldValues,
  readLinks,
  writeLinks,
} from "../../../mime/headerLinks.ts";
import { fieldValues, type MailWithHeader, maxFieldBytes, writeMailboxes } from "../../../mime/mailFields.ts";
import type { CalendarPerson } from "../../../relay/calendars/calendarNames.ts";
import { unanswerableAddress } from "../../correspondents/reverseAddress.ts";
import type { Correspondent, ReverseAddress } from "../../correspondents/reverseAddresses.ts";
import { messageIdsIn, type ThreadIds, writeReferences } from "../threadIds.ts";

/** Reverse addresses that one mail may name; further addresses stay only in the renamed fields. */
export const maxCorrespondents = 50;

/** The addresses that stay unchanged: the mask's and the owner's. */
export interface OwnAddresses {
  readonly includes: (address: string) => boolean;
  /** Returns a text in lower case without them. */
  readonly removeFrom: (text: string) => string;
}

export const createOwnAddresses = (addresses: readonly string[]): OwnAddresses => {
  const own = new Set(addresses.map(mailboxName));
  return {
    includes: (address) => own.has(mailboxName(address)),
    removeFrom: (text) =>
      [...new Set(addresses.map(mailboxKey))].reduce<string>(
        (rest, one) => rest.replaceAll(one, () => ""),
        mailboxKey(text),
      ),
  };
};

/** A list of mailboxes to which mail programs answer. */
interface MailboxField {
  readonly name: string;
  readonly mailboxes: readonly Sender[];
  /** The decoded values, in which a mail program may find addresses that we do not; null when they are too long to be read. */
  readonly text: string | null;
}

/** A field whose links lead to mail. */
interface LinkField {
  readonly name: string;
  readonly links: readonly HeaderLink[];
}

/** The fields of a mail through which a mail program writes to somebody. */
export interface AnsweredFields {
  readonly mailboxes: readonly MailboxField[];
  readonly links: readonly LinkField[];
  /** The names of the fields with ids of the thread. */
  readonly ids: readonly string[];
}

const readMailboxField = (mail: MailWithHeader, name: string, isTooLong: boolean): MailboxField => ({
  name,
  mailboxes: answeredMailboxes(mail, name),
  text: isTooLong ? null : decodeEncodedWords(fieldValues(mail, name).join(" ")),
});

/** True if a list names nobody but the owner and the mask, so that it stays as the sender wrote it. */
const namesOnlyOwn = ({ mailboxes, text }: MailboxField, own: OwnAddresses): boolean =>
  text !== null &&
  mailboxes.every(({ address }) => own.includes(address)) &&
  !own.removeFrom(text).includes("@");

/** Returns the treatment of each field by its name, and which fields are longer than what is read of them. */
const readNames = ({ header }: MailWithHeader, others: ReadonlySet<string>) => {
  const names = new Map<string, ReturnType<typeof knownTreatment>>();
  const tooLong = new Set<string>();
  for (const { name, valueStart, end } of header.fields) {
    if (others.has(name)) continue;
    if (!names.has(name)) names.set(name, knownTreatment(name));
    if (end - valueStart > maxFieldBytes) tooLong.add(name);
  }
  return { names, tooLong };
};

/** Reads the fields that are written anew, so that no program writes past the mask because of them, but for some. */
export const readAnsweredFields = (
  mail: MailWithHeader,
  others: ReadonlySet<string> = new Set(),
): AnsweredFields => {
  const mailboxes: MailboxField[] = [];
  const links: LinkField[] = [];
  const ids: string[] = [];
  const { names, tooLong } = readNames(mail, others);
  for (const [name, treatment] of names) {
    if (treatment === "ids") ids.push(name);
    if (treatment === "mailboxes") mailboxes.push(readMailboxField(mail, name, tooLong.has(name)));
    if (treatment !== "links") continue;
    const values = linkFieldValues(mail, name);
    if (tooLong.has(name) || values.some(leadsToMail) || hasEncodedWords(mail, name))
      links.push({ name, links: values.flatMap(readLinks) });
  }
  return { mailboxes, links, ids };
};

/** Authors and addresses for answers beyond these count as named. */
const maxAnswered = 5;
/** To these a simple answer goes, whatever the other fields say. */
const answeredFirst = ["reply-to", "mail-reply-to"];
/** From the most needed link to the least. */
const linkOrder = ["list-unsubscribe", "list-post", "list-owner", "list-subscribe", "list-help"];

const orderOf = (name: string): number => {
  const at = linkOrder.indexOf(name);
  return at === -1 ? linkOrder.length : at;
};

/**
 * Returns everyone to whom a mail program may write because of a mail, besides the owner: who gets a simple answer, then
 * those behind links, then everybody else, those in calendars last; at most `maxCorrespondents`.
 */
export const listCorrespondents = (
  { mailboxes, links }: AnsweredFields,
  author: Sender | null,
  own: OwnAddresses,
  inCalendars: readonly CalendarPerson[] = [],
): readonly Correspondent[] => {
  const first = mailboxes.filter(({ name }) => answeredFirst.includes(name));
  const others = mailboxes.filter(({ name }) => !answeredFirst.includes(name));
  const behindLinks = links
    .toSorted((one, other) => orderOf(one.name) - orderOf(other.name))
    .flatMap((field) => field.links)
    .flatMap((link) => (link.kind === "mail" ? [...link.to, ...link.cc] : []));
  const answered = [...(author ? [author] : []), ...first.flatMap((field) => field.mailboxes)];
  const [organizers, attendees] = [true, false].map((isOrganizer) =>
    inCalendars.flatMap((one) =>
      one.isOrganizer === isOrganizer ? [{ name: one.name, address: one.address }] : [],
    ),
  );
  const everybody: readonly Correspondent[] = [
    ...[...answered, ...(organizers ?? [])].map(
      (one, n) => ({ ...one, role: n < maxAnswered ? "answered" : "named" }) as const,
    ),
    ...behindLinks.map((address) => ({ name: "", address, role: "link" }) as const),
    ...[...others.flatMap((field) => field.mailboxes), ...(attendees ?? [])].map(
      (one) => ({ ...one, role: "named" }) as const,
    ),
  ].filter(({ address }) => toAnswerable(address) !== null && !own.includes(address));
  const byKey = new Map<string, Correspondent>();
  for (const one of everybody) {
    const key = mailboxKey(one.address);
    const before = byKey.get(key);
    if (!before) byKey.set(key, one);
    else if (before.role === "link") byKey.set(key, one);
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

/** True if the field leads to somebody, whom its list may not name because nobody can answer them. */
const namesSomebody = ({ mailboxes, text }: MailboxField): boolean =>
  mailboxes.length > 0 || text === null || text.includes("@");

/** A longer list is written without names. */
const maxListLength = 16_384;

const writeList = (written: readonly Sender[]): string | null => {
  const unique = [...new Map(written.map((one) => [mailboxKey(one.address), one])).values()];
  const list = writeMailboxes(unique);
  if (list.length > maxListLength) return writeMailboxes(unique.map((one) => ({ ...one, name: "" })));
  return list === "" ? null : list;
};

/**
 * Writes the fields for the owner's replies: other addresses in lists of mailboxes and in links become reverse
 * addresses, and thread ids those that the owner's program knows. An address without a reverse address is left out; where
 * a simple answer would go to nobody else, and so to somebody whom the sender has not named, it is refused.
 */
export const writeForwardedFields = (
  mail: MailWithHeader,
  { mailboxes, links, ids: idFields }: AnsweredFields,
  reverseByKey: ReverseByKey,
  ids: ThreadIds,
  { maskDomain, own }: { readonly maskDomain: string; readonly own: OwnAddresses },
): ForwardedFields => {
  const replaced = new Set<string>();
  let text = "";
  const replace = (name: string, value: string | null): void => {
    replaced.add(name);
    if (value !== null) text += `${writtenName(name)}: ${value}\r\n`;
  };
  const reverseOf = (address: string): string | null => {
    const reverse = reverseByKey.get(mailboxKey(address));
    return reverse ? `${reverse.localPart}@${maskDomain}` : null;
  };
  const toReverse = (sender: Sender): readonly Sender[] => {
    if (own.includes(sender.address)) return [sender];
    const address = reverseOf(sender.address);
    return address === null ? [] : [{ name: forwardedName(sender), address }];
  };
  for (const field of mailboxes) {
    if (namesOnlyOwn(field, own)) continue;
    const isRefused = answeredFirst.includes(field.name) && namesSomebody(field);
    const refusing = isRefused ? `<${unanswerableAddress(maskDomain)}>` : null;
    replace(field.name, writeList(field.mailboxes.flatMap(toReverse)) ?? refusing);
  }
  for (const field of links)
    replace(
      field.name,
      writeLinks(field.links, (address) => (own.includes(address) ? address : reverseOf(address))),
    );
  for (const name of idFields) {
    const found = fieldValues(mail, name).flatMap(messageIdsIn);
    if (found.length === 0) continue;
    const translated = (name === "references" ? found : found.slice(0, 1)).map(ids.toOwner);
    replace(name, writeReferences(translated));
  }
  return { replaced, text };
};
