import type { SMTPServerDataStream } from "smtp-server";
import type { Clock } from "../../core/ports/clock.ts";
import type { Bounces } from "../delivery/bounces.ts";
import { readHeaderBlock } from "../delivery/headerBlock.ts";
import type { CommitRequest, CommitResult } from "../mail/commitMail.ts";
import { copyCount, type DeliveryPlan } from "../mail/deliveryPlan.ts";
import { CannotEncrypt, type EncryptMail, encryptCopies } from "../mail/encryptCopies.ts";
import { prepareForwarding } from "../mail/forwardedMail.ts";
import type { MailLogEntry } from "../mail/mailLog.ts";
import { type DeliveryPlanDeps, planDelivery, type RawMail, toSpamEnvelope } from "../mail/planDelivery.ts";
import { isLooping, receivedField, type TraceInfo } from "../mail/receivedField.ts";
import type { SampleSenders } from "../mail/sampleSenders.ts";
import type { MailRoute } from "../masks/mailRoute.ts";
import type { GroupCommit } from "../store/groupCommit.ts";
import { spoolShareKey } from "./connectionLimit.ts";
import { maxCopiesBytes, maxPostmasterMailBytes } from "./limits.ts";
import { normalizeLineEndings } from "./lineEndings.ts";
import { postmasterAddress } from "./postmaster.ts";
import * as replies from "./replies.ts";
import type { Reservations } from "./reservations.ts";
import type { Spool, SpoolResult } from "./spool.ts";
import type { ClosedTransaction } from "./transaction.ts";

/** The envelope sender and the trace information of a mail. */
export interface MailEnvelope {
  /** Empty for the null sender. */
  readonly sender: string;
  readonly trace: TraceInfo;
}

export interface ReceiveMailDeps {
  readonly maskDomain: string;
  readonly clock: Pick<Clock, "now">;
  readonly planDeps: DeliveryPlanDeps;
  readonly encryptMail: EncryptMail;
  /** Called with each queued mail; checks the senders of some. */
  readonly sampleSenders: SampleSenders;
  /** Called with each mail that rules have decided about. */
  readonly onEvaluated: (mail: MailLogEntry) => void;
  readonly spool: Spool;
  readonly commit: GroupCommit<CommitRequest, CommitResult>;
  readonly reservations: Reservations;
  readonly bounces: Pick<Bounces, "handle">;
}

const spoolReplies: Readonly<Record<Exclude<SpoolResult["kind"], "whole">, replies.SmtpReply>> = {
  "too-large": replies.tooLarge,
  "no-room": replies.spoolFull,
  "too-slow": replies.tooSlow,
  gone: replies.localError,
};

const commitReplies: Readonly<Record<CommitResult["kind"], replies.SmtpReply | null>> = {
  queued: null,
  limit: replies.limitReachedMeanwhile,
  changed: replies.changedMeanwhile,
  failed: replies.localError,
};

/** Returns the received mail with its header parsed, or the reply that refuses it. */
const readRawMail = (
  { maskDomain, clock }: ReceiveMailDeps,
  content: Buffer,
  { sender, trace }: MailEnvelope,
): replies.SmtpReply | RawMail => {
  const header = readHeaderBlock(content);
  if (!header) return replies.headerTooLarge;
  if (isLooping(header)) return replies.mailLoop;
  const traceLine = receivedField(trace, maskDomain);
  return { content, header, envelopeSender: sender, trace, traceLine, now: clock.now() };
};

interface QueueResult {
  readonly committed: CommitResult;
  readonly plans: readonly DeliveryPlan[];
  readonly refusal: replies.SmtpReply | null;
}

const isRefused = ({ decision }: DeliveryPlan): boolean => decision.block?.how === "refuse";

/** Returns the reply when the rules or spam filters of all recipients refuse a mail; null otherwise. */
const refusalOf = (plans: readonly DeliveryPlan[], hasNotice: boolean): replies.SmtpReply | null => {
  if (hasNotice || plans.length === 0 || !plans.every(isRefused)) return null;
  return plans.some(({ spam }) => spam?.isSpam) ? replies.refusedAsSpam : replies.refusedByRule;
};

/** Plans and encrypts all copies of a mail, or returns the reply that refuses it. */
const planAndEncrypt = async (
  { planDeps, encryptMail }: ReceiveMailDeps,
  mail: RawMail,
  routes: readonly MailRoute[],
): Promise<readonly DeliveryPlan[] | replies.SmtpReply> => {
  const plans = await planDelivery(planDeps, mail, routes);
  const copies = plans.reduce((sum, plan) => sum + copyCount(plan), 0);
  if (copies > 1 && mail.content.length * copies > maxCopiesBytes) return replies.tooManyCopies;
  try {
    return await Promise.all(plans.map((plan) => encryptCopies(encryptMail, plan)));
  } catch (error) {
    if (error instanceof CannotEncrypt) return replies.cannotEncrypt;
    throw error;
  }
};

const queueMail = async (
  deps: ReceiveMailDeps,
  content: Buffer,
  envelope: MailEnvelope,
  { month, recipients, postmaster }: ClosedTransaction,
): Promise<QueueResult | replies.SmtpReply> => {
  const { maskDomain, spool, commit } = deps;
  const mail = readRawMail(deps, normalizeLineEndings(content), envelope);
  if ("code" in mail) return mail;
  const size = mail.content.length;
  if (postmaster !== null && size > maxPostmasterMailBytes) return replies.tooLargeForPostmaster;
  const room = size * (recipients.length + (postmaster === null ? 0 : 1));
  if (room > maxCopiesBytes) return replies.tooManyCopies;
  if (!spool.reserve(room)) return replies.spoolFull;
  try {
    const plans = await planAndEncrypt(
      deps,
      mail,
      recipients.map(({ route }) => route),
    );
    if ("code" in plans) return plans;
    const notice =
      postmaster === null
        ? null
        : {
            recipient: postmaster,
            content: prepareForwarding(mail, mail.traceLine)(postmasterAddress(maskDomain)),
          };
    const envelopeSender = envelope.sender === "" ? "" : `bounces@${maskDomain}`;
    const committed = await commit.submit({ month, envelopeSender, plans, notice });
    if (committed.kind === "queued") deps.sampleSenders(content, toSpamEnvelope(mail), plans);
    return { committed, plans, refusal: refusalOf(plans, notice !== null) };
  } finally {
    spool.release(room);
  }
};

/**
 * Receives the content of one mail and returns the reply; null means 250, and then the mail is stored durably for all
 * recipients. In every case the reservations of the transaction are used or released.
 */
export const receiveMail = async (
  deps: ReceiveMailDeps,
  stream: SMTPServerDataStream,
  envelope: MailEnvelope,
  transaction: ClosedTransaction,
): Promise<replies.SmtpReply | null> => {
  let usage: CommitResult["received"] = new Map();
  try {
    const received = await deps.spool.receive(stream, spoolShareKey(envelope.trace));
    if (received.kind !== "whole") return spoolReplies[received.kind];
    try {
      const began = performance.now();
      for (const id of transaction.bouncedIds) await deps.bounces.handle(id, received.content);
      const result = await queueMail(deps, received.content, envelope, transaction);
      if ("code" in result) return result;
      const { committed, plans, refusal } = result;
      usage = committed.received;
      const answer = commitReplies[committed.kind] ?? refusal;
      const [code, size, ms] = [answer?.code ?? 250, received.content.length, performance.now() - began];
      deps.onEvaluated({ result: committed, plans, code, size, ms });
      return answer;
    } finally {
      deps.spool.release(received.content.length);
    }
  } finally {
    for (const { allowance } of transaction.recipients)
      deps.reservations.release(allowance, usage.get(allowance.userId) ?? 0);
  }
};
