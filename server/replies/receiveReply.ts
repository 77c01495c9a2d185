import { dayMs } from "../../core/kernel/durations.ts";
import { domainOf, localPartOf } from "../../core/mail/emailAddress.ts";
import type { Sender } from "../../core/mail/forwardedFrom.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { Random } from "../../core/ports/random.ts";
import { readHeaderBlock } from "../delivery/headerBlock.ts";
import { findMimeLeaves, findTransferEncoding } from "../delivery/mimeLeaves.ts";
import { enqueue } from "../delivery/queueQueries.ts";
import { addNotification, wasNotifiedSince } from "../notifications/notificationQueries.ts";
import type { Evidence, SenderEnvelope } from "../proof/evidence.ts";
import type { Judge } from "../proof/judge.ts";
import type { SmtpReply } from "../smtp/replies.ts";
import type { Database } from "../store/database.ts";
import { appendEvent } from "../store/events.ts";
import { fieldValues, type MailWithHeader, mailboxesIn } from "./mailFields.ts";
import { TooManyParts } from "./mimeReply.ts";
import { reverseLocalPartsIn } from "./ownerTraces.ts";
import { countReplies, findReplyMask, isOwner, type ReplyMask, takeDailyReplies } from "./replyQueries.ts";
import * as refusals from "./replyRefusals.ts";
import { parseReverseLocalPart } from "./reverseAddress.ts";
import type { ReverseAddress, ReverseAddresses } from "./reverseAddresses.ts";
import type { ThreadIdsOf } from "./threadIds.ts";
import { type WrittenReply, writeReply } from "./writeReply.ts";

export interface ReceiveReplyDeps {
  readonly database: Database;
  readonly reverseAddresses: ReverseAddresses;
  readonly judge: Judge;
  readonly maskDomain: string;
  /** Keys the ids of threads. */
  readonly threadIdsOf: ThreadIdsOf;
  readonly clock: Pick<Clock, "now">;
  readonly random: Random;
  /** Called after something was stored, to wake the delivery and the event feed. */
  readonly onQueued: () => void;
}

/** A mail to reverse addresses whose content has arrived. */
export interface ArrivedReply {
  readonly content: Buffer;
  readonly envelope: SenderEnvelope;
  readonly recipients: readonly ReverseAddress[];
}

const noticeIntervalMs = dayMs;
const sealedNotice =
  "A reply was sent with a signed or encrypted part, which was left as it is. It may contain your own address.";
/** The maximum number of reverse addresses looked up in one reply's text. */
const maxQuoted = 50;

/** Whether a program wrote the mail (RFC 3834, 5). */
const isAutomatic = (mail: MailWithHeader): boolean => {
  const [submitted = "no"] = fieldValues(mail, "auto-submitted");
  const [precedence = ""] = fieldValues(mail, "precedence");
  const [type = ""] = fieldValues(mail, "content-type");
  return (
    !/^no\b/i.test(submitted) ||
    /^(?:bulk|junk|list|auto_reply)\b/i.test(precedence) ||
    /^multipart\/report\b/i.test(type) ||
    fieldValues(mail, "x-autoreply").length + fieldValues(mail, "x-autorespond").length > 0
  );
};

const maxTextBytes = 2 * 1024 * 1024;

const textsOf = ({ content, header }: MailWithHeader): readonly string[] =>
  (findMimeLeaves(content, header)?.leaves ?? [])
    .filter(({ type, start, end }) => /^(?:text\/|$)/.test(type) && end - start <= maxTextBytes)
    .flatMap(
      ({ encoding, start, end }) =>
        findTransferEncoding(encoding)?.decode(content.subarray(start, end)) ?? [],
    );

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
  if (evidence.alignedBy.length > 0 && evidence.standing === "proven") return null;
  const { spf, dkim, dmarc } = evidence.authentication;
  return [spf, dkim, dmarc].includes("temperror") ? refusals.proofUnavailable : refusals.unprovenReply;
};

/** The recipients of a reply, with reverse addresses replaced by the correspondents' real addresses. */
interface Recipients {
  readonly to: readonly Sender[];
  readonly cc: readonly Sender[];
}

export const createReceiveReply = (deps: ReceiveReplyDeps) => {
  const { database, reverseAddresses, judge, maskDomain, threadIdsOf, clock, random } = deps;
  const { db } = database;

  const tellOwner = async (userId: string, message: string): Promise<void> => {
    await database.transaction(async (tx) => {
      const now = clock.now();
      if (await wasNotifiedSince(tx, userId, message, now - noticeIntervalMs)) return;
      await addNotification(tx, { userId, type: "warning", priority: "high", message }, now);
    });
    deps.onQueued();
  };

  const findCorrespondents = async (
    localParts: readonly string[],
    maskId: string,
  ): Promise<ReadonlyMap<string, Sender>> => {
    const found = await Promise.all(
      [...new Set(localParts)].slice(0, maxQuoted).map((localPart) => reverseAddresses.find(db, localPart)),
    );
    return new Map(
      found.flatMap((reverse) =>
        reverse?.maskId === maskId ? [[reverse.localPart, reverse.correspondent] as const] : [],
      ),
    );
  };

  /** undefined without an address, null when the mask has no such correspondent. */
  const translateAddress = (
    address: string,
    mask: ReplyMask,
    correspondents: ReadonlyMap<string, Sender>,
  ): Sender | null | undefined => {
    if (isOwner(mask, address)) return undefined;
    if (domainOf(address).toLowerCase() !== maskDomain) return null;
    const localPart = parseReverseLocalPart(localPartOf(address));
    return localPart === null ? undefined : (correspondents.get(localPart) ?? null);
  };

  /** null when one of them is not a correspondent of this mask. */
  const translateRecipients = (
    mail: MailWithHeader,
    mask: ReplyMask,
    correspondents: ReadonlyMap<string, Sender>,
  ): Recipients | null => {
    const translate = (name: string) =>
      mailboxesIn(mail, name).map(({ address }) => translateAddress(address, mask, correspondents));
    const [to, cc] = [translate("to"), translate("cc")];
    if ([...to, ...cc].includes(null)) return null;
    const people = (list: typeof to): readonly Sender[] => list.flatMap((one) => one ?? []);
    return { to: people(to), cc: people(cc) };
  };

  const write = async (
    mail: MailWithHeader,
    mask: ReplyMask,
    recipients: readonly ReverseAddress[],
  ): Promise<WrittenReply | refusals.ReplyRefusal> => {
    const { maskEmail, ownerAddresses, maskId, userId } = mask;
    const inHeader = ["to", "cc"]
      .flatMap((name) => mailboxesIn(mail, name))
      .flatMap(({ address }) => parseReverseLocalPart(localPartOf(address)) ?? []);
    const inText = textsOf(mail).flatMap((text) => reverseLocalPartsIn(text, maskDomain));
    const envelope = recipients.map(({ localPart }) => localPart);
    const correspondents = await findCorrespondents([...envelope, ...inHeader, ...inText], maskId);
    const translated = translateRecipients(mail, mask, correspondents);
    if (!translated) return refusals.foreignRecipient;
    const hidden = translated.to.length + translated.cc.length === 0;
    const context = {
      maskEmail,
      maskDomain,
      ownerAddresses,
      correspondents,
      ids: threadIdsOf(userId),
      random,
      now: clock.now(),
    };
    const to =
      hidden && recipients.length === 1
        ? recipients.map(({ correspondent }) => correspondent)
        : translated.to;
    try {
      return writeReply(mail, { ...context, to, cc: translated.cc });
    } catch (error) {
      if (error instanceof TooManyParts) return refusals.unreadableReply;
      throw error;
    }
  };

  /** Queues, counts and records a reply; false beyond the daily limit. */
  const queue = (
    { maskId, userId, maskEmail, repliesPerDay: limit }: ReplyMask,
    recipients: readonly ReverseAddress[],
    content: Buffer,
  ): Promise<boolean> =>
    database.transaction(async (tx) => {
      const now = clock.now();
      const count = recipients.length;
      if (!(await takeDailyReplies(tx, { userId, count, limit }, now))) return false;
      for (const { correspondent } of recipients)
        await enqueue(
          tx,
          { userId, maskId, envelopeSender: maskEmail, recipient: correspondent.address, content },
          { now, random },
        );
      await reverseAddresses.recordReply(tx, recipients);
      await countReplies(tx, { maskId, userId, count });
      await appendEvent(tx, { userId, resource: "masks", resourceId: maskId, action: "updated" }, now);
      return true;
    });

  /** Checks that need no rewritten content. */
  const findObstacle = (
    mask: ReplyMask,
    mail: MailWithHeader,
    { envelope, recipients }: ArrivedReply,
    evidence: Evidence,
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
    const { content, envelope, recipients } = reply;
    const evidence = await judge(content, envelope, mask.userId);
    const obstacle = findObstacle(mask, mail, reply, evidence);
    if (obstacle) return obstacle;
    const written = await write(mail, mask, recipients);
    if ("answer" in written) return written;
    if (!(await queue(mask, recipients, written.content))) return refusals.dailyLimit;
    if (written.isSealed) await tellOwner(mask.userId, sealedNotice);
    deps.onQueued();
    return null;
  };

  /**
   * Handles a mail to reverse addresses: an authenticated reply of the owner is queued for the correspondents
   * as mail from the mask; anything else is refused, and the owner is notified. Null means 250.
   */
  return async (reply: ArrivedReply): Promise<SmtpReply | null> => {
    const header = readHeaderBlock(reply.content);
    const [first] = reply.recipients;
    const mask = first ? await findReplyMask(db, first.maskId) : null;
    if (!header || !mask) return refusals.strangersReply.answer;
    const refusal = await send(mask, { content: reply.content, header }, reply);
    if (refusal?.notice) await tellOwner(mask.userId, refusal.notice);
    return refusal?.answer ?? null;
  };
};

/** Handles a mail to reverse addresses. */
export type ReceiveReply = ReturnType<typeof createReceiveReply>;
