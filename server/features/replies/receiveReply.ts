import type { DomainName } from "../../../core/mail/domainName.ts";
import { domainOf, isRelatedDomain, localPartOf, mailboxKey } from "../../../core/mail/emailAddress.ts";
import type { SentLog } from "../../delivery/mailLog/sentLog.ts";
import { readHeaderBlock } from "../../mime/headerBlock.ts";
import { isAutomatic, type MailWithHeader, mailboxesIn } from "../../mime/mailFields.ts";
import type { Database } from "../../platform/store/database.ts";
import { findUserByMailbox } from "../../platform/store/users.ts";
import type { Evidence, SenderEnvelope } from "../../proof/evidence.ts";
import type { SmtpReply } from "../../smtp/smtpReplies.ts";
import type { ReverseAddress, ReverseAddresses } from "../correspondents/reverseAddresses.ts";
import type { Recipient } from "./commitReplies.ts";
import { findKnownRecipients, type KnownRecipients, type TaggedCorrespondent } from "./knownRecipients.ts";
import { logRefusedReply } from "./logRefusedReply.ts";
import { commonSpelling } from "./mailboxSpelling.ts";
import type { OfferOwnerKey } from "./ownerKey.ts";
import type { TellOwner } from "./ownerNotice.ts";
import { isOwner, type ReplyMask } from "./replyQueries.ts";
import * as refusals from "./replyRefusals.ts";
import type { SendFromMask } from "./sendFromMask.ts";
import { findObstacle, type UnsentReplies } from "./unsentReplies.ts";

export interface ReceiveReplyDeps {
  readonly database: Database;
  readonly reverseAddresses: Pick<ReverseAddresses, "find" | "prepare" | "hasRoom" | "open">;
  readonly sendFromMask: SendFromMask;
  readonly sentLog: SentLog;
  readonly maskDomain: DomainName;
  readonly tellOwner: TellOwner;
  readonly unsentReplies: Pick<UnsentReplies, "keep">;
  readonly offerOwnerKey: OfferOwnerKey;
  /** The installation's own address, whose help the answers name. */
  readonly publicUrl: string;
  /** Called after something was stored, to wake the event feed and, for waiting mail, the delivery. */
  readonly onQueued: (isWaiting: boolean) => void;
}

/** A mail to reverse addresses whose content has arrived. */
export interface ArrivedReply {
  readonly content: Buffer;
  readonly envelope: SenderEnvelope;
  /** The local parts of its recipients' reverse addresses. */
  readonly localParts: readonly string[];
  /** Recipients that tags of a mask's address name. */
  readonly tagged: readonly TaggedCorrespondent[];
  /** The results of the checks of its sender. */
  readonly evidence: Evidence;
}

/** A reply whose recipients are all known. */
interface KnownReply extends KnownRecipients {
  readonly mail: MailWithHeader;
}

const toRecipients = (recipients: readonly ReverseAddress[]): readonly Recipient[] =>
  recipients.map((reverse) => ({ address: reverse.correspondent.address, reverse }));

/** The author of a mail with exactly one. */
const onlyAuthor = (mail: MailWithHeader, { fromFields }: Evidence): string | null => {
  const authors = mailboxesIn(mail, "from");
  return fromFields === 1 && authors.length === 1 ? (authors[0]?.address ?? null) : null;
};

/**
 * True if the domain in From has signed what the author wrote, so that the envelope need not say who they are: servers write
 * their own into it, with a tag (BATV) or for bounces (VERP).
 */
const isSignedBy = (author: string, { alignedBy, proof, authorDomain }: Evidence): boolean =>
  alignedBy.includes("dkim") && proof === "proven" && authorDomain === domainOf(author).toLowerCase();

/**
 * True if an envelope may be what the author's server has written: it is at a related domain or contains the address. Somebody
 * else's is a stranger's, whose mail is not worth a notification.
 */
const mayBeOf = (author: string, envelopeSender: string): boolean => {
  const own = mailboxKey(author);
  const sender = mailboxKey(envelopeSender);
  return (
    isRelatedDomain(domainOf(own), domainOf(sender)) ||
    localPartOf(sender).includes(`${localPartOf(own)}=${domainOf(own)}`)
  );
};

/** True if a mail is proven to be of its author, by their domain's signature or because the envelope names them too. */
export const isProvenToBeOf = (author: string, isInEnvelope: boolean, evidence: Evidence): boolean =>
  isSignedBy(author, evidence) ||
  (isInEnvelope && evidence.alignedBy.length > 0 && evidence.proof === "proven");

/** Returns the refusal for a proven author whose address is another spelling of a confirmed one; null for anybody else. */
const refuseSpelling = (
  { ownerAddresses }: ReplyMask,
  author: string,
  envelopeSender: string,
  evidence: Evidence,
): refusals.ReplyRefusal | null => {
  const spelling = commonSpelling(author);
  const confirmed = ownerAddresses.find((own) => commonSpelling(own) === spelling);
  const isInEnvelope = commonSpelling(envelopeSender) === spelling;
  return confirmed !== undefined && isProvenToBeOf(author, isInEnvelope, evidence)
    ? refusals.unconfirmedSpelling(author, confirmed)
    : null;
};

/** null when the mail is a reply of the owner. */
const findForgery = (
  { mask, mail }: KnownReply,
  { envelope: { sender }, evidence, tagged }: ArrivedReply,
): refusals.ReplyRefusal | null => {
  /** An address with a tag is no secret as a reverse address is: who is not proven learns nothing of the owner. */
  const unproven = (refusal: refusals.ReplyRefusal): refusals.ReplyRefusal =>
    tagged.length > 0 ? refusals.strangersReply : refusal;
  const isNamed = isOwner(mask, sender);
  const author = onlyAuthor(mail, evidence);
  if (author === null || !isOwner(mask, author))
    return (
      (author !== null && refuseSpelling(mask, author, sender, evidence)) ||
      (isNamed ? unproven(refusals.otherFrom) : refusals.strangersReply)
    );
  if (isProvenToBeOf(author, isNamed, evidence)) return null;
  const { spf, dkim, dmarc } = evidence.authentication;
  if ([spf, dkim, dmarc].includes("temperror")) return unproven(refusals.proofUnavailable);
  return isNamed || mayBeOf(author, sender) ? unproven(refusals.unprovenReply) : refusals.strangersReply;
};

/** The result of a mail to reverse addresses. */
export type ReplyResult =
  /** It is sent, or refused with a reply. */
  | { readonly kind: "answered"; readonly reply: SmtpReply | null }
  /** It is a stranger's, or nothing is known of one of its recipients. */
  | { readonly kind: "unknown" };

const unknown: ReplyResult = { kind: "unknown" };

export const createReceiveReply = (deps: ReceiveReplyDeps) => {
  const { sendFromMask, sentLog, tellOwner, unsentReplies, publicUrl } = deps;
  const { db } = deps.database;

  /** Checks that need no rewritten content. */
  const check = (known: KnownReply, reply: ArrivedReply): refusals.ReplyRefusal | null => {
    const forgery = findForgery(known, reply);
    if (forgery) return forgery;
    return isAutomatic(known.mail) ? refusals.automaticReply : findObstacle(known);
  };

  const send = async (known: KnownReply, reply: ArrivedReply): Promise<refusals.ReplyRefusal | null> => {
    const obstacle = check(known, reply);
    if (obstacle) return obstacle;
    const { mask, mail, recipients } = known;
    if (!(await deps.reverseAddresses.hasRoom(mask, recipients))) return refusals.tooManyCorrespondents;
    const { refusal, notices, isWaiting } = await sendFromMask({
      mask,
      mail,
      recipients: toRecipients(recipients),
      allowsOthers: false,
    });
    if (refusal) return refusal;
    for (const notice of notices) await tellOwner(mask.userId, notice);
    deps.onQueued(isWaiting);
    const author = onlyAuthor(mail, reply.evidence);
    if (author !== null) void deps.offerOwnerKey(mask.userId, mail, [author]);
    return null;
  };

  /** Stores the reverse addresses that a refused reply has made, so that it can be sent again if it is kept. */
  const storeTagged = async (
    { tagged }: ArrivedReply,
    known: KnownRecipients,
    refusal: refusals.ReplyRefusal,
  ): Promise<KnownRecipients> => {
    const isNeeded = tagged.length > 0 && refusal.isKept && refusal !== refusals.tooManyCorrespondents;
    if (!isNeeded) return known;
    const recipients: ReverseAddress[] = [];
    for (const reverse of known.recipients)
      recipients.push(await deps.reverseAddresses.open(db, reverse, reverse.correspondent));
    return { ...known, recipients };
  };

  /** Notifies the account whose own address is proven to be the author's that nobody is behind a recipient. */
  const tellAuthor = async (mail: MailWithHeader, { tagged, evidence }: ArrivedReply): Promise<void> => {
    // Others write to a mask with a tag as well.
    if (tagged.length > 0) return;
    const author = onlyAuthor(mail, evidence);
    if (author === null || !isSignedBy(author, evidence)) return;
    const user = await findUserByMailbox(db, mailboxKey(author));
    if (user) await tellOwner(user.id, refusals.unknownReverseNotice, { isRefused: true });
  };

  /**
   * Handles a mail to reverse addresses: an authenticated reply of the owner is queued for the correspondents
   * as mail from the mask; anything else is refused, and the owner is notified. A stranger, or one of whose recipients
   * nothing is known, gets the answer of the transaction.
   */
  return async (reply: ArrivedReply): Promise<ReplyResult> => {
    const header = readHeaderBlock(reply.content);
    if (!header) return unknown;
    const mail = { content: reply.content, header };
    const found = await findKnownRecipients(deps, reply.localParts, reply.tagged);
    const refusal = found ? await send({ ...found, mail }, reply) : refusals.strangersReply;
    if (!refusal) return { kind: "answered", reply: null };
    if (!found || refusal === refusals.strangersReply) {
      await tellAuthor(mail, reply);
      return unknown;
    }
    const { mask } = found;
    const answer = refusals.answerOf(refusal, publicUrl);
    const recipients = toRecipients(found.recipients);
    logRefusedReply(sentLog, mask, { content: reply.content, recipients }, refusal, answer);
    const isKept = await unsentReplies.keep(await storeTagged(reply, found, refusal), mail, refusal);
    if (!isKept && refusal.notice) await tellOwner(mask.userId, refusal.notice, { isRefused: true });
    return { kind: "answered", reply: answer };
  };
};

/** Handles a mail to reverse addresses. */
export type ReceiveReply = ReturnType<typeof createReceiveReply>;
