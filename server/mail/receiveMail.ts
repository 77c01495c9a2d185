import type { Clock } from "../../core/ports/clock.ts";
import type { Bounces } from "../delivery/bounces.ts";
import { readHeaderBlock } from "../delivery/headerBlock.ts";
import type { OutgoingCopy } from "../delivery/outgoingCopy.ts";
import { bounceAddress, postmasterAddress } from "../delivery/ownAddresses.ts";
import type { MailRoute } from "../masks/mailRoute.ts";
import type { RawMail } from "../smtp/rawMail.ts";
import type { SmtpReply } from "../smtp/replies.ts";
import type { Submit } from "../store/groupCommit.ts";
import { newId } from "../store/id.ts";
import { forgedSenderRuleId } from "./blocking.ts";
import type { CommitRequest, CommitResult } from "./commitMail.ts";
import { copyCount, type DeliveryPlan } from "./deliveryPlan.ts";
import { CannotEncrypt, encryptCopies, type FindEncryption } from "./encryptCopies.ts";
import { prepareForwarding } from "./forwardedMail.ts";
import type { MailLogEntry } from "./mailLog.ts";
import { originalSender } from "./originalSender.ts";
import { type DeliveryPlanDeps, planDelivery, type RawMailWithHeader } from "./planDelivery.ts";
import { maxPostmasterMailBytes } from "./postmaster.ts";
import { isLooping, receivedField } from "./receivedField.ts";
import * as refusals from "./refusals.ts";
import { reportRecipient } from "./reportRecipient.ts";
import type { Reservations } from "./reservations.ts";
import type { SampleSenders } from "./sampleSenders.ts";
import type { SenderLimits } from "./senderLimits.ts";
import { type AcceptedMail, maxCopiesBytes } from "./transaction.ts";
import type { WholeMails } from "./wholeMails.ts";

export interface ReceiveMailDeps {
  readonly maskDomain: string;
  readonly clock: Pick<Clock, "now">;
  readonly planDeps: DeliveryPlanDeps;
  readonly findEncryption: FindEncryption;
  /** Called with each queued mail; checks the senders of some. */
  readonly sampleSenders: SampleSenders;
  readonly onEvaluated: (mail: MailLogEntry) => void;
  readonly commit: Submit<CommitRequest, CommitResult>;
  readonly reservations: Reservations;
  readonly bounces: Pick<Bounces, "handle">;
  readonly wholeMails: WholeMails;
  readonly senderLimits: SenderLimits;
}

const commitReplies: Readonly<Record<CommitResult["kind"], SmtpReply | null>> = {
  queued: null,
  limit: refusals.limitReachedMeanwhile,
  share: refusals.dailyShareUsedUp,
  changed: refusals.changedMeanwhile,
};

/** Returns the mail with its header parsed, or the reply that refuses it. */
const readHeader = (
  { maskDomain, clock, planDeps }: ReceiveMailDeps,
  mail: RawMail,
  readAll: () => Promise<Buffer>,
): SmtpReply | RawMailWithHeader => {
  const { envelope, content } = mail;
  const header = readHeaderBlock(content.head);
  if (!header) return refusals.headerTooLarge;
  if (isLooping(header)) return refusals.mailLoop;
  if (header.fields.filter(({ name }) => name === "from").length > 1) return refusals.severalFromFields;
  const traceLine = receivedField(envelope, newId(planDeps.random), maskDomain);
  const sender = originalSender(content.head, header);
  return { ...mail, header, sender, traceLine, now: clock.now(), readAll };
};

interface QueueResult {
  readonly committed: CommitResult;
  readonly plans: readonly DeliveryPlan[];
  readonly refusal: SmtpReply | null;
}

const isRefused = ({ decision }: DeliveryPlan): boolean => decision.block?.how === "refuse";

/** Returns the reply when all recipients' rules or spam filters refuse a mail; null otherwise. */
const refusalOf = (plans: readonly DeliveryPlan[], hasNotice: boolean): SmtpReply | null => {
  if (hasNotice || plans.length === 0 || !plans.every(isRefused)) return null;
  if (plans.some(({ decision }) => decision.block?.ruleId === forgedSenderRuleId))
    return refusals.forgedSender;
  return plans.some(({ spam }) => spam?.isSpam) ? refusals.refusedAsSpam : refusals.refusedByRule;
};

/** Plans and encrypts all copies, or returns the reply that refuses the mail. */
const planAndEncrypt = async (
  { planDeps, findEncryption }: ReceiveMailDeps,
  mail: RawMailWithHeader,
  routes: readonly MailRoute[],
): Promise<readonly DeliveryPlan[] | SmtpReply> => {
  const plans = await planDelivery(planDeps, mail, routes);
  const copies = plans.reduce((sum, plan) => sum + copyCount(plan), 0);
  if (copies > 1 && mail.content.size * copies > maxCopiesBytes) return refusals.tooManyCopies;
  try {
    return await Promise.all(plans.map((plan) => encryptCopies(findEncryption, plan)));
  } catch (error) {
    if (error instanceof CannotEncrypt) return refusals.cannotEncrypt;
    throw error;
  }
};

/** null when the postmaster is not a recipient. */
const noticeOf = (
  { maskDomain }: ReceiveMailDeps,
  { content, header, sender, envelope, traceLine }: RawMailWithHeader,
  postmaster: string | null,
): OutgoingCopy | null => {
  if (postmaster === null) return null;
  const forwarding = prepareForwarding(
    { head: content.head, header, sender, envelopeSender: envelope.sender },
    traceLine,
    { host: maskDomain, evidence: null, acceptUnproven: true },
  );
  const head = forwarding(postmasterAddress(maskDomain));
  return { recipient: postmaster, head, body: { content, skip: header.end } };
};

const queueMail = async (
  deps: ReceiveMailDeps,
  received: RawMail,
  { month, recipients, postmaster, origin }: AcceptedMail,
  readAll: () => Promise<Buffer>,
): Promise<QueueResult | SmtpReply> => {
  const { maskDomain, commit } = deps;
  const mail = readHeader(deps, received, readAll);
  if ("code" in mail) return mail;
  const { size } = mail.content;
  if (postmaster !== null && size > maxPostmasterMailBytes) return refusals.tooLargeForPostmaster;
  if (size * (recipients.length + (postmaster === null ? 0 : 1)) > maxCopiesBytes)
    return refusals.tooManyCopies;
  const routes = recipients.map(({ route }) => route);
  const plans = await planAndEncrypt(deps, mail, routes);
  if ("code" in plans) return plans;
  const sources = deps.senderLimits.sourcesOf(origin, plans);
  if (deps.senderLimits.isUsedUp(plans, sources)) return refusals.dailyShareUsedUp;
  const notice = noticeOf(deps, mail, postmaster);
  const envelopeSender = received.envelope.sender === "" ? "" : bounceAddress(maskDomain);
  const reportTo = reportRecipient(mail, plans[0]?.evidence ?? null, maskDomain);
  const committed = await commit({ month, envelopeSender, reportTo, plans, sources, notice });
  deps.senderLimits.recordUsedUp(committed.usedUp);
  if (committed.kind === "queued") deps.sampleSenders(mail, plans);
  return { committed, plans, refusal: refusalOf(plans, notice !== null) };
};

/**
 * Handles a received mail and returns the reply; null means 250, with the mail stored durably for all
 * recipients. In every case the reservations of the transaction are used or released.
 */
export const receiveMail = async (
  deps: ReceiveMailDeps,
  mail: RawMail,
  accepted: AcceptedMail,
): Promise<SmtpReply | null> => {
  const whole = deps.wholeMails.open(mail.content);
  let usage: CommitResult["received"] = new Map();
  let isTaken = false;
  try {
    const began = performance.now();
    for (const id of accepted.bouncedIds) await deps.bounces.handle(id, mail.content);
    const result = await queueMail(deps, mail, accepted, whole.read);
    if ("code" in result) return result;
    const { committed, plans, refusal } = result;
    usage = committed.received;
    const answer = commitReplies[committed.kind] ?? refusal;
    isTaken = answer === null;
    const [code, size, ms] = [answer?.code ?? 250, mail.content.size, performance.now() - began];
    deps.onEvaluated({ result: committed, plans, code, size, ms });
    return answer;
  } finally {
    whole.close();
    for (const { allowance, ticket } of accepted.recipients) {
      deps.reservations.release(allowance, usage.get(allowance.userId) ?? 0);
      if (!isTaken) ticket.cancel(true);
    }
  }
};
