import { heldDays } from "../../../core/held/heldMail.ts";
import { nameAndAddress } from "../../../core/mail/nameAndAddress.ts";
import { giveUpAfterDays } from "../../../core/mail/retrySchedule.ts";
import type { Random } from "../../../core/ports/random.ts";
import type { Failure, GiveUp, PrepareDelayNotice } from "../../delivery/deliverMail.ts";
import { slowStartAnswer } from "../../delivery/direct/providerLimits.ts";
import { enqueue, type QueuedMail } from "../../delivery/queue/queueQueries.ts";
import { isReceivedMail } from "../../delivery/serviceAddresses.ts";
import { smtpCodes } from "../../delivery/smtpAnswer.ts";
import type { KeyedHash } from "../../platform/ops/keyedHash.ts";
import type { Seal } from "../../platform/ops/secrets.ts";
import type { Database, Db } from "../../platform/store/database.ts";
import { recordFailedReply } from "../correspondents/replyPauses.ts";
import { addNotification } from "../notifications/notificationQueries.ts";
import { sealSender } from "../notifications/notificationSender.ts";
import { announcePush } from "../pushDevices/announcePush.ts";
import { claimReport } from "./failureReportQueries.ts";
import { countHeldMail } from "./heldCounts.ts";
import { holdQueuedMail, insertHeldMail, markDelayNoticed } from "./heldQueries.ts";
import { composeStatusNotification } from "./statusNotification.ts";
import { readStoredHeader, type StoredHeader } from "./storedHeader.ts";

export interface HoldFailedMailDeps {
  readonly database: Pick<Database, "engine">;
  readonly maskDomain: string;
  readonly seal: Pick<Seal, "seal">;
  readonly hash: KeyedHash;
  readonly random: Random;
}

const unreadable: StoredHeader = {
  mask: null,
  from: null,
  subject: null,
  isAutomaticAnswer: false,
  original: Buffer.alloc(0),
};

const quote = (subject: string | null): string => {
  if (subject === null) return "";
  return subject === "" ? " without a subject" : ` “${subject}”`;
};

const reasonText = (server: string, { reason, answer }: Failure): string => {
  const codes = smtpCodes(answer);
  const suffix = codes === "" ? "" : ` (${codes})`;
  return reason === "expired"
    ? `it was tried for ${giveUpAfterDays} days${suffix}`
    : `${server} refused it${suffix}`;
};

const receivedMail = ({ from, subject, mask }: StoredHeader): string =>
  `The email${quote(subject)}${from ? ` from ${nameAndAddress(from)}` : ""} to ${mask ?? "your masks"}`;

const sentMail = ({ subject }: StoredHeader, recipient: string): string =>
  `Your email${quote(subject)} to ${recipient}`;

const receivedMessage = (header: StoredHeader, failure: Failure): string =>
  `${receivedMail(header)} could not be forwarded: ${reasonText("the server of your address", failure)}. The email is held for ${heldDays} days.`;

const sentMessage = (header: StoredHeader, recipient: string, failure: Failure): string =>
  `${sentMail(header, recipient)} could not be delivered: ${reasonText("its server", failure)}. The email is held for ${heldDays} days.`;

/** What a device shows, which names neither sender nor subject. */
const pushedTexts = {
  received: "An email could not be forwarded to you, and is held.",
  sent: "An email that you sent could not be delivered, and is held.",
} as const;

/** The answer of a server is quoted; of a connection that failed, only the reason is. */
const delayReason = (server: string, answer: string): string => {
  if (answer === slowStartAnswer) return answer;
  return smtpCodes(answer) === ""
    ? `${server} cannot be reached (${answer.replace(/^E[A-Z]+: /, "") || "no answer"})`
    : `${server} answered “${answer}”`;
};

/**
 * Prepares the notification of the owner of a mail that is late. Nobody is told about system mail and the
 * automatic answers of rules.
 */
export const prepareDelayNotice: PrepareDelayNotice = async (mail, read, answer) => {
  const { id, userId, recipient } = mail;
  if (userId === null) return null;
  const header = (await readStoredHeader(read)) ?? unreadable;
  if (header.isAutomaticAnswer) return null;
  const [subject, server] = isReceivedMail(mail)
    ? [receivedMail(header), "the server of your address"]
    : [sentMail(header, recipient), "its server"];
  const message = `${subject} is delayed: ${delayReason(server, answer)}. Delivery is retried for ${giveUpAfterDays} days in all.`;
  return async (db, now) => {
    if (!(await markDelayNoticed(db, id, now))) return false;
    await addNotification(db, { userId, type: "warning", priority: "normal", message }, now);
    return true;
  };
};

/**
 * Creates the function that holds mail whose delivery is given up, notifies its owner, and reports the failure to
 * an authenticated sender once. System mail has no owner and is not held, nor is an automatic answer of a rule.
 */
export const createHoldFailedMail = (deps: HoldFailedMailDeps): GiveUp => {
  const { database, maskDomain, seal, hash, random } = deps;

  const reportToSender = async (
    db: Db,
    { reportTo, createdAt }: QueuedMail,
    { mask, original }: StoredHeader,
    { reason, answer }: Failure,
    now: number,
  ): Promise<void> => {
    if (reportTo === null || mask === null) return;
    if (!(await claimReport(db, hash("report", reportTo.toLowerCase()), now))) return;
    const content = composeStatusNotification(
      { mask, reason, answer, arrivedAt: createdAt, original },
      reportTo,
      { maskDomain, now, random },
    );
    await enqueue(
      db,
      { userId: null, maskId: null, envelopeSender: "", recipient: reportTo, content },
      { now, random },
    );
  };

  return async (mail, read, failure) => {
    const { id, userId, maskId, recipient } = mail;
    if (userId === null) return null;
    const header = (await readStoredHeader(read)) ?? unreadable;
    if (header.isAutomaticAnswer) return null;
    const isReceived = isReceivedMail(mail);
    const sender = sealSender(seal, isReceived ? maskId : null, header.from?.address);
    return async (db, lease, now) => {
      const { answer, reason } = failure;
      if (!(await holdQueuedMail(db, { mail, lease, answer }))) return false;
      const direction = isReceived ? "received" : "sent";
      const { from, subject } = header;
      await insertHeldMail(db, seal, { id, userId, maskId, direction, reason, from, subject }, now);
      await countHeldMail(database.engine, db, { userId, maskId }, "held", now);
      const message = isReceived ? receivedMessage(header, failure) : sentMessage(header, recipient, failure);
      await addNotification(
        db,
        { userId, type: "error", priority: "high", message, heldId: id, ...sender },
        now,
      );
      await announcePush(db, [{ userId, kind: "held", text: pushedTexts[direction] }], now);
      if (!isReceived) await recordFailedReply(db, hash, { userId, correspondent: recipient }, now);
      if (isReceived) await reportToSender(db, mail, header, failure, now);
      return true;
    };
  };
};
