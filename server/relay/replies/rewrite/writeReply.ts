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
import { messageIdsIn, type ThreadIds } from "../threadIds.ts";
import { createFinalScan } from "./finalScan.ts";
import { writeMimePart } from "./mimeReply.ts";
import { createReplacements, type Disguise, type Replacements } from "./ownerTraces.ts";
import type { ReplyPart } from "./replyParts.ts";

/** The context for writing a reply. */
export interface ReplyContext extends Disguise {
  readonly to: readonly Sender[];
  readonly cc: readonly Sender[];
  readonly ids: ThreadIds;
  readonly random: Random;
  readonly now: number;
}

/** A reply as it is sent. */
export interface WrittenReply {
  readonly head: Buffer;
  /** The bytes after the head. */
  readonly pieces: readonly Buffer[];
  /** Whether a part is signed or encrypted, is unchanged, and may reveal the owner. */
  readonly isSealed: boolean;
  /** Whether a card, a key or the like was left out. */
  readonly isShortened: boolean;
}

/** The finished reply would show the owner. */
export class RevealingReply extends Error {}

const boundaryBytes = 16;

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
const writeAttachedHeader = (
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

/**
 * Writes a reply of an owner as a mail from the mask. The header and all parts are new; the owner's addresses are
 * replaced everywhere, and traces of the mail program are removed. Signed and encrypted parts stay unchanged. Throws
 * `GrownTooLong`, and `RevealingReply` when the result would still show the owner.
 */
export const writeReply = (mail: MailWithHeader, content: ReplyPart, context: ReplyContext): WrittenReply => {
  if (content.kind === "dropped") throw new RevealingReply();
  const { to, cc, ids, random, now, maskEmail } = context;
  const replace = createReplacements(context);
  const scan = createFinalScan(context);
  const subject = replace.visible(fieldWords(mail, "subject")).replace("[Suspicious sender] ", "");
  const translated = (name: string): readonly string[] =>
    fieldValues(mail, name).flatMap(messageIdsIn).map(ids.toOutside);
  const [messageId = ids.toOutside(`<${randomHex(random, boundaryBytes)}@reply>`)] = translated("message-id");
  const [inReplyTo] = translated("in-reply-to");
  const references = translated("references");
  const names = (list: readonly Sender[]): readonly Sender[] =>
    list.map(({ name, address }) => ({ name: replace.visible(name), address }));
  const head = [
    `From: <${maskEmail}>`,
    ...(to.length === 0 ? [] : [`To: ${writeMailboxes(names(to))}`]),
    ...(cc.length === 0 ? [] : [`Cc: ${writeMailboxes(names(cc))}`]),
    `Subject: ${encodeUnstructured(subject)}`,
    `Date: ${dateOf(mail, now)}`,
    `Message-ID: ${messageId}`,
    ...(inReplyTo === undefined ? [] : [`In-Reply-To: ${inReplyTo}`]),
    ...(references.length === 0 ? [] : [`References: ${references.join("\r\n ")}`]),
    "MIME-Version: 1.0",
    "",
  ].join("\r\n");
  const written = writeMimePart(content, {
    replace,
    showsOwner: scan.isTrace,
    writeAttachedHeader: (attached) => writeAttachedHeader(attached, replace, context),
    renameId: (id) => messageIdsIn(id).map(ids.toOutside)[0] ?? "",
    newBoundary: () => `b_${randomHex(random, boundaryBytes)}`,
  });
  const reply = { head: Buffer.from(head), ...written };
  if (scan.showsOwner(Buffer.concat([reply.head, ...reply.pieces]))) throw new RevealingReply();
  return reply;
};
