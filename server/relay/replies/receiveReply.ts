import type { ReverseAddress } from "../../features/correspondents/reverseAddresses.ts";
import type { SentLog } from "../../features/mailLog/sentLog.ts";
import { readHeaderBlock } from "../../mime/headerBlock.ts";
import { isAutomatic, type MailWithHeader, mailboxesIn } from "../../mime/mailFields.ts";
import type { Database } from "../../platform/store/database.ts";
import type { Evidence, SenderEnvelope } from "../../proof/evidence.ts";
import type { SmtpReply } from "../smtp/replies.ts";
import { logRefusedReply } from "./logRefusedReply.ts";
import type { TellOwner } from "./ownerNotice.ts";
import type { Recipient } from "./queueReply.ts";
import { findReplyMask, isOwner, type ReplyMask } from "./replyQueries.ts";
import * as refusals from "./replyRefusals.ts";
import type { SendFromMask } from "./sendFromMask.ts";

export interface ReceiveReplyDeps {
  readonly database: Database;
  readonly sendFromMask: SendFromMask;
  readonly sentLog: SentLog;
  readonly maskDomain: string;
  readonly tellOwner: TellOwner;
  /** The installation's own address, whose help the answers name. */
  readonly publicUrl: string;
  /** Called after something was stored, to wake the event feed and, for waiting mail, the delivery. */
  readonly onQueued: (isWaiting: boolean) => void;
}

/** A mail to reverse addresses whose content has arrived. */
export interface ArrivedReply {
  readonly content: Buffer;
  readonly envelope: SenderEnvelope;
  readonly recipients: readonly ReverseAddress[];
  /** The results of the checks of its sender. */
  readonly evidence: Evidence;
}

const toRecipients = ({ recipients }: ArrivedReply): readonly Recipient[] =>
  recipients.map((reverse) => ({ address: reverse.correspondent.address, reverse }));

/** null when the mail is a reply of the owner. */
const findForgery = (
  mask: ReplyMask,
  mail: MailWithHeader,
  envelopeSender: string,
  evidence: Evidence,
): refusals.ReplyRefusal | null => {
  if (!isOwner(mask, envelopeSender)) return refusals.strangersReply;
  const authors = mailboxesIn(mail, "from");
  const [author] = authors;
  if (evidence.fromFields !== 1 || authors.length !== 1 || !author || !isOwner(mask, author.address))
    return refusals.otherFrom;
  if (evidence.alignedBy.length > 0 && evidence.proof === "proven") return null;
  const { spf, dkim, dmarc } = evidence.authentication;
  return [spf, dkim, dmarc].includes("temperror") ? refusals.proofUnavailable : refusals.unprovenReply;
};

export const createReceiveReply = (deps: ReceiveReplyDeps) => {
  const { sendFromMask, sentLog, tellOwner, publicUrl } = deps;
  const { db } = deps.database;

  /** Checks that need no rewritten content. */
  const findObstacle = (
    mask: ReplyMask,
    mail: MailWithHeader,
    { envelope, recipients, evidence }: ArrivedReply,
  ): refusals.ReplyRefusal | null => {
    const forgery = findForgery(mask, mail, envelope.sender, evidence);
    if (forgery) return forgery;
    if (recipients.some(({ maskId }) => maskId !== mask.maskId)) return refusals.severalMasks;
    if (!mask.isUsable) return refusals.maskSwitchedOff;
    return isAutomatic(mail) ? refusals.automaticReply : null;
  };

  const send = async (
    mask: ReplyMask,
    mail: MailWithHeader,
    reply: ArrivedReply,
  ): Promise<refusals.ReplyRefusal | null> => {
    const obstacle = findObstacle(mask, mail, reply);
    if (obstacle) return obstacle;
    const { refusal, notices, isWaiting } = await sendFromMask({
      mask,
      mail,
      recipients: toRecipients(reply),
      allowsOthers: false,
    });
    if (refusal) return refusal;
    for (const notice of notices) await tellOwner(mask.userId, notice);
    deps.onQueued(isWaiting);
    return null;
  };

  /**
   * Handles a mail to reverse addresses: an authenticated reply of the owner is queued for the correspondents
   * as mail from the mask; anything else is refused, and the owner is notified. Null means 250.
   */
  return async (reply: ArrivedReply): Promise<SmtpReply | null> => {
    const header = readHeaderBlock(reply.content);
    const [first] = reply.recipients;
    const mask = first ? await findReplyMask(db, first.maskId, deps.maskDomain) : null;
    if (!header || !mask) return refusals.strangersReply.answer;
    const refusal = await send(mask, { content: reply.content, header }, reply);
    if (!refusal) return null;
    const answer = refusals.answerOf(refusal, publicUrl);
    const recipients = toRecipients(reply);
    logRefusedReply(sentLog, mask, { content: reply.content, recipients }, refusal, answer);
    if (refusal.notice) await tellOwner(mask.userId, refusal.notice);
    return answer;
  };
};

/** Handles a mail to reverse addresses. */
export type ReceiveReply = ReturnType<typeof createReceiveReply>;
