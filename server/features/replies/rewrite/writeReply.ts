import { localPartOf, withoutTag } from "../../../../core/mail/emailAddress.ts";
import { mailboxName } from "../../../../core/mail/mailboxName.ts";
import { randomHex } from "../../../../core/ports/random.ts";
import type { MailWithHeader } from "../../../mime/mailFields.ts";
import { messageIdsIn } from "../threadIds.ts";
import { createCalendarIds } from "./calendarIds.ts";
import { createFinalScan } from "./finalScan.ts";
import { writeMimePart } from "./mimeReply.ts";
import { createReplacements, type Replacements } from "./ownerTraces.ts";
import { findCalendarTraces } from "./replyCalendar.ts";
import { type ReplyContext, writeAttachedHeader, writeReplyHeader } from "./replyHeader.ts";
import { createIsWebmail } from "./replyLinks.ts";
import { calendarsOf, type ReplyPart } from "./replyParts.ts";
import { createReplaceNames } from "./schedulingNames.ts";

/** A reply as it is sent. */
export interface WrittenReply {
  readonly head: Buffer;
  /** The bytes after the head. */
  readonly pieces: readonly Buffer[];
  /** True if a part is signed or encrypted, is unchanged, and may reveal the owner. */
  readonly isSealed: boolean;
  /** True if a card, a key or the like was left out. */
  readonly isShortened: boolean;
}

/** The finished reply would show the owner. */
export class RevealingReply extends Error {}

const boundaryBytes = 16;

const createIsOwn = ({ ownerAddresses, maskEmail }: ReplyContext): ((address: string) => boolean) => {
  const own = new Set([...ownerAddresses, maskEmail].map(mailboxName));
  return (address) => own.has(mailboxName(address)) || own.has(mailboxName(withoutTag(address)));
};

/**
 * In a mail of a calendar program, nobody has written text and subject: there the owner's names are replaced as where
 * nobody looks, also those that only its calendar has.
 */
const replacementsFor = (
  content: ReplyPart,
  addresses: Replacements,
  isOwn: (address: string) => boolean,
  { ownerNames, correspondents, maskEmail }: ReplyContext,
): Replacements => {
  const { isScheduling, names } = findCalendarTraces(calendarsOf(content), isOwn);
  if (!isScheduling) return addresses;
  const others = correspondents.values();
  const replaceNames = createReplaceNames([...ownerNames, ...names], others, localPartOf(maskEmail));
  return { hidden: addresses.hidden, visible: (text) => replaceNames(addresses.hidden(text)) };
};

/**
 * Writes a reply of an owner as a mail from the mask. The header and all parts are new; the owner's addresses are
 * replaced everywhere, and traces of the mail program are removed. Signed and encrypted parts stay unchanged. Throws
 * `GrownTooLong`, and `RevealingReply` when the result would still show the owner.
 */
export const writeReply = (mail: MailWithHeader, content: ReplyPart, context: ReplyContext): WrittenReply => {
  if (content.kind === "dropped") throw new RevealingReply();
  const { ids, random } = context;
  const addresses = createReplacements(context);
  const isOwn = createIsOwn(context);
  const replace = replacementsFor(content, addresses, isOwn, context);
  const scan = createFinalScan(context);
  const head = writeReplyHeader(mail, replace, context);
  const isWebmail = createIsWebmail(context.ownerHosts);
  const written = writeMimePart(content, {
    isWebmail,
    replace,
    showsOwner: scan.isTrace,
    calendar: {
      isOwn,
      isWebmail,
      maskEmail: context.maskEmail,
      replaceAddresses: addresses.visible,
      toOutsideId: createCalendarIds(ids).toOutside,
    },
    writeAttachedHeader: (attached) => writeAttachedHeader(attached, replace, context),
    renameId: (id) => messageIdsIn(id).map(ids.toOutside)[0] ?? "",
    newBoundary: () => `b_${randomHex(random, boundaryBytes)}`,
  });
  const reply = { head: Buffer.from(head), ...written };
  if (scan.showsOwner(Buffer.concat([reply.head, ...reply.pieces]))) throw new RevealingReply();
  return reply;
};
