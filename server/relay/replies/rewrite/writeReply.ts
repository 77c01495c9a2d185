import { randomHex } from "../../../../core/ports/random.ts";
import type { MailWithHeader } from "../../../mime/mailFields.ts";
import { messageIdsIn } from "../threadIds.ts";
import { createFinalScan } from "./finalScan.ts";
import { writeMimePart } from "./mimeReply.ts";
import { createReplacements } from "./ownerTraces.ts";
import { type ReplyContext, writeAttachedHeader, writeReplyHeader } from "./replyHeader.ts";
import { createIsWebmail } from "./replyLinks.ts";
import type { ReplyPart } from "./replyParts.ts";

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

/**
 * Writes a reply of an owner as a mail from the mask. The header and all parts are new; the owner's addresses are
 * replaced everywhere, and traces of the mail program are removed. Signed and encrypted parts stay unchanged. Throws
 * `GrownTooLong`, and `RevealingReply` when the result would still show the owner.
 */
export const writeReply = (mail: MailWithHeader, content: ReplyPart, context: ReplyContext): WrittenReply => {
  if (content.kind === "dropped") throw new RevealingReply();
  const { ids, random } = context;
  const replace = createReplacements(context);
  const scan = createFinalScan(context);
  const head = writeReplyHeader(mail, replace, context);
  const written = writeMimePart(content, {
    isWebmail: createIsWebmail(context.ownerHosts),
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
