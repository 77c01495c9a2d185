import type { Sender } from "../../../../core/mail/forwardedFrom.ts";
import { type Random, randomHex } from "../../../../core/ports/random.ts";
import { encodeUnstructured, formatMailDate } from "../../../mime/headerText.ts";
import {
  fieldValues,
  fieldWords,
  type MailWithHeader,
  mailboxesIn,
  writeMailboxes,
} from "../../../mime/mailFields.ts";
import { messageIdsIn, type ThreadIds, writeReferences } from "../threadIds.ts";
import type { Disguise, Replacements } from "./ownerTraces.ts";

/** The context for writing a reply. */
export interface ReplyContext extends Disguise {
  readonly to: readonly Sender[];
  readonly cc: readonly Sender[];
  readonly ids: ThreadIds;
  readonly random: Random;
  readonly now: number;
}

const messageIdBytes = 16;

/** In UTC, so that it does not reveal the author's location. */
const dateOf = (mail: MailWithHeader, now: number): string => {
  const time = Date.parse(fieldValues(mail, "date")[0] ?? "");
  return formatMailDate(Number.isNaN(time) ? now : time);
};

/** Mailboxes with the owner as the mask, without a name. */
const disguisePeople = (people: readonly Sender[], { visible }: Replacements): readonly Sender[] =>
  people.map(({ name, address }) => {
    const shown = visible(address);
    return { name: shown === address ? visible(name) : "", address: shown };
  });

/** Writes the header of a mail that is attached to a reply, with addresses and ids as in the reply itself. */
export const writeAttachedHeader = (
  mail: MailWithHeader,
  replace: Replacements,
  { ids, now }: ReplyContext,
): string => {
  const lists = (["From", "To", "Cc"] as const).flatMap((name) => {
    const all = disguisePeople(mailboxesIn(mail, name.toLowerCase()), replace);
    return all.length === 0 ? [] : [`${name}: ${writeMailboxes(all)}`];
  });
  const [messageId] = fieldValues(mail, "message-id").flatMap(messageIdsIn).map(ids.toOutside);
  return [
    ...lists,
    `Subject: ${encodeUnstructured(replace.visible(fieldWords(mail, "subject")))}`,
    ...(fieldValues(mail, "date").length === 0 ? [] : [`Date: ${dateOf(mail, now)}`]),
    ...(messageId === undefined ? [] : [`Message-ID: ${messageId}`]),
    "MIME-Version: 1.0",
    "",
  ].join("\r\n");
};

/** Writes the header of a reply: an allowlist of fields, each written anew. */
export const writeReplyHeader = (
  mail: MailWithHeader,
  replace: Replacements,
  { to, cc, ids, random, now, maskEmail }: ReplyContext,
): string => {
  const subject = replace
    .visible(fieldWords(mail, "subject"))
    .replaceAll(/\[(?:Suspicious sender|Likely spam)\] /g, "");
  const translated = (name: string): readonly string[] =>
    fieldValues(mail, name).flatMap(messageIdsIn).map(ids.toOutside);
  const [messageId = ids.toOutside(`<${randomHex(random, messageIdBytes)}@reply>`)] =
    translated("message-id");
  const [inReplyTo] = translated("in-reply-to");
  const references = translated("references");
  const names = (list: readonly Sender[]): readonly Sender[] =>
    list.map(({ name, address }) => ({ name: replace.visible(name), address }));
  return [
    `From: <${maskEmail}>`,
    ...(to.length === 0 ? [] : [`To: ${writeMailboxes(names(to))}`]),
    ...(cc.length === 0 ? [] : [`Cc: ${writeMailboxes(names(cc))}`]),
    `Subject: ${encodeUnstructured(subject)}`,
    `Date: ${dateOf(mail, now)}`,
    `Message-ID: ${messageId}`,
    ...(inReplyTo === undefined ? [] : [`In-Reply-To: ${inReplyTo}`]),
    ...(references.length === 0 ? [] : [`References: ${writeReferences(references)}`]),
    "MIME-Version: 1.0",
    "",
  ].join("\r\n");
};
