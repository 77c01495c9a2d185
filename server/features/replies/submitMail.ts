import type { DomainName } from "../../../core/mail/domainName.ts";
import { type EmailAddress, mailboxKey } from "../../../core/mail/emailAddress.ts";
import type { SentLog } from "../../delivery/mailLog/sentLog.ts";
import { readHeaderBlock } from "../../mime/headerBlock.ts";
import { fieldValues, isAutomatic, type MailWithHeader, mailboxesIn } from "../../mime/mailFields.ts";
import type { MailContent } from "../../platform/spool/mailContent.ts";
import type { Database } from "../../platform/store/database.ts";
import type { SmtpReply } from "../../smtp/smtpReplies.ts";
import type { ReverseAddress, ReverseAddresses } from "../correspondents/reverseAddresses.ts";
import type { Recipient } from "./commitReplies.ts";
import { logRefusedReply } from "./logRefusedReply.ts";
import type { OfferOwnerKey } from "./ownerKey.ts";
import type { TellOwner } from "./ownerNotice.ts";
import { findLogMode, findOwnMask, findReplyMask, isOwner, type ReplyMask } from "./replyQueries.ts";
import * as refusals from "./replyRefusals.ts";
import type { SendFromMask } from "./sendFromMask.ts";
import type { SendReplyAgain } from "./unsentReplies.ts";

export interface SubmitMailDeps {
  readonly database: Database;
  readonly reverseAddresses: Pick<ReverseAddresses, "prepare" | "hasRoom">;
  readonly sendFromMask: SendFromMask;
  readonly sentLog: SentLog;
  readonly tellOwner: TellOwner;
  readonly offerOwnerKey: OfferOwnerKey;
  readonly maskDomain: DomainName;
  readonly publicUrl: string;
  readonly onQueued: (isWaiting: boolean) => void;
}

/** A mail from the mail program of a user who has logged in. */
export interface SubmittedMail {
  readonly userId: string;
  readonly content: Buffer;
  /** Recipients with a reverse address as the program named it; null for any other address. */
  readonly recipients: readonly Recipient[];
}

/** Sends the mail of users who have logged in. */
export interface OutgoingMail {
  /** Returns the reverse address of a local part if it is one of the user's; null otherwise. */
  readonly findOwn: (localPart: string, userId: string) => Promise<ReverseAddress | null>;
  /** Returns the reverse address of whom a tag names at one of the user's masks; null for any other address. */
  readonly findTagged: (address: EmailAddress, userId: string) => Promise<ReverseAddress | null>;
  /** Sends a mail from the mask in its From; a reply refuses it. */
  readonly submit: (
    userId: string,
    content: MailContent,
    recipients: readonly Recipient[],
  ) => Promise<SmtpReply | null>;
  /** Sends a reply again that was refused. */
  readonly sendAgain: SendReplyAgain;
}

/** Sends a submitted mail from the mask in its From; a reply refuses it. */
export type SubmitMail = (mail: SubmittedMail) => Promise<SmtpReply | null>;

export const createSubmitMail = (deps: SubmitMailDeps): SubmitMail => {
  const { reverseAddresses, sendFromMask, sentLog, tellOwner, maskDomain, publicUrl } = deps;
  const { db } = deps.database;

  const findMask = async (userId: string, mail: MailWithHeader): Promise<ReplyMask | null> => {
    const authors = mailboxesIn(mail, "from");
    const [author] = authors;
    if (!author || authors.length > 1 || fieldValues(mail, "from").length > 1) return null;
    const maskId = await findOwnMask(db, { userId, email: author.address }, maskDomain);
    return maskId === null ? null : findReplyMask(deps.database, maskId, maskDomain);
  };

  /** Everybody but the owner gets a reverse address, which leads answers and further mail through the mask. */
  const addReverse = async (
    { maskId, userId, ...mask }: ReplyMask,
    mail: MailWithHeader,
    recipients: readonly Recipient[],
  ): Promise<readonly Recipient[]> => {
    const names = new Map(
      ["to", "cc"]
        .flatMap((field) => mailboxesIn(mail, field))
        .map((one) => [mailboxKey(one.address), one.name]),
    );
    const nameOf = (address: string): string => names.get(mailboxKey(address)) ?? "";
    const isStranger = ({ address, reverse }: Recipient): boolean =>
      reverse === null && !isOwner({ maskId, userId, ...mask }, address);
    const strangers = recipients
      .filter(isStranger)
      .map(({ address }) => ({ name: nameOf(address), address }));
    const added = await reverseAddresses.prepare({ maskId, userId }, strangers);
    const byAddress = new Map(strangers.map(({ address }, n) => [address, added[n] ?? null]));
    return recipients.map(({ address, reverse }) => ({
      address: reverse?.correspondent.address ?? address,
      reverse: reverse ?? byAddress.get(address) ?? null,
    }));
  };

  const send = async (
    { userId, recipients }: SubmittedMail,
    mail: MailWithHeader,
    mask: ReplyMask,
  ): Promise<refusals.ReplyRefusal | null> => {
    if (!mask.isUsable) return refusals.maskSwitchedOff;
    if (recipients.some(({ reverse }) => reverse && reverse.maskId !== mask.maskId))
      return refusals.severalMasks;
    if (isAutomatic(mail)) return refusals.automaticReply;
    const resolved = await addReverse(mask, mail, recipients);
    const reverse = resolved.flatMap((one) => one.reverse ?? []);
    if (!(await reverseAddresses.hasRoom(mask, reverse))) return refusals.tooManyCorrespondents;
    const { refusal, notices, isWaiting } = await sendFromMask({
      mask,
      mail,
      recipients: resolved,
      allowsOthers: true,
    });
    if (refusal) return refusal;
    for (const notice of notices) await tellOwner(userId, notice);
    deps.onQueued(isWaiting);
    void deps.offerOwnerKey(userId, mail, mask.ownerAddresses);
    return null;
  };

  return async (submitted) => {
    const { userId, content } = submitted;
    const header = readHeaderBlock(content);
    const mail = header && { content, header };
    const mask = mail && (await findMask(userId, mail));
    const refusal = mask ? await send(submitted, mail, mask) : refusals.noMaskOfYours;
    if (!refusal) return null;
    const answer = refusals.answerOf(refusal, publicUrl);
    const sender = mask ?? { userId, maskId: "", log: await findLogMode(db, userId) };
    logRefusedReply(sentLog, sender, submitted, refusal, answer);
    return answer;
  };
};
