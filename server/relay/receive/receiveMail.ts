import type { Clock } from "../../../core/ports/clock.ts";
import type { Bounces } from "../../delivery/bounces.ts";
import type { OutgoingCopy } from "../../delivery/outgoingCopy.ts";
import { bounceAddress, postmasterAddress } from "../../delivery/ownAddresses.ts";
import type { MasksByMail } from "../../features/domains/masksByMail.ts";
import type { PrepareLastMails } from "../../features/lastMails/keepLastMails.ts";
import type { MailRoute } from "../../features/masks/mailRoute.ts";
import { senderOf } from "../../mime/author.ts";
import { readHeaderBlock } from "../../mime/headerBlock.ts";
import type { RawMail } from "../../mime/rawMail.ts";
import type { Submit } from "../../platform/store/groupCommit.ts";
import { newId } from "../../platform/store/id.ts";
import type { CommitRequest, CommitResult } from "../commit/commitRequest.ts";
import type { MailLogEntry } from "../commit/mailLog.ts";
import { CannotEncrypt, encryptCopies, type FindEncryption } from "../encrypt/encryptCopies.ts";
import type { Reservations } from "../limits/reservations.ts";
import type { SenderLimits } from "../limits/senderLimits.ts";
import { copyCount, type DeliveryPlan } from "../plan/deliveryPlan.ts";
import { prepareForwarding } from "../plan/forwardedMail.ts";
import { type DeliveryPlanDeps, planDelivery, type RawMailWithHeader } from "../plan/planDelivery.ts";
import type { MailLog } from "../plan/planLog.ts";
import { isLooping, receivedField } from "../plan/receivedField.ts";
import * as refusals from "../plan/refusals.ts";
import type { SampleSenders } from "../plan/sampleSenders.ts";
import type { CountLateBounces } from "../replies/lateBounces.ts";
import type { SmtpReply } from "../smtp/replies.ts";
import { maxFromBytes, originalSender } from "./originalSender.ts";
import { maxPostmasterMailBytes } from "./postmaster.ts";
import { reportRecipient } from "./reportRecipient.ts";
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
  readonly countLateBounces: CountLateBounces;
  readonly wholeMails: WholeMails;
  readonly senderLimits: SenderLimits;
  readonly mailLog: MailLog;
  readonly masksByMail: Pick<MasksByMail, "make">;
  readonly findRouteOf: (address: string) => Promise<MailRoute | null>;
  readonly prepareLastMails: PrepareLastMails;
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
  const from = header.fields.filter(({ name }) => name === "from");
  if (from.length > 1) return refusals.severalFromFields;
  if (from.some(({ start, end }) => end - start > maxFromBytes)) return refusals.fromTooLong;
  const traceLine = receivedField(envelope, newId(planDeps.random), maskDomain);
  const author = originalSender(content.head, header);
  if (author.kind === "ambiguous") return refusals.unclearAuthor;
  const sender = senderOf(author);
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
  if (plans.some(({ decision }) => decision.block?.by === "forged-sender")) return refusals.forgedSender;
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

/** Returns the routes with the masks that other mails have made meanwhile; null when a mask cannot be made any more. */
const refreshRoutes = async (
  { findRouteOf }: ReceiveMailDeps,
  routes: readonly MailRoute[],
): Promise<readonly MailRoute[] | null> => {
  const found = await Promise.all(
    routes.map(async (route) => (route.isNew ? await findRouteOf(route.maskEmail) : route)),
  );
  const known = found.flatMap((route) => (route?.active && route.confirmed ? [route] : []));
  return known.length === routes.length ? known : null;
};

/**
 * Plans a mail and makes the masks that it makes, unless they refuse it. Of mails that make a mask at the same time, one
 * makes it and the others are planned again, for that mask.
 */
const planAndMakeMasks = async (
  deps: ReceiveMailDeps,
  mail: RawMailWithHeader,
  routes: readonly MailRoute[],
): Promise<readonly DeliveryPlan[] | SmtpReply> => {
  const plans = await planAndEncrypt(deps, mail, routes);
  if ("code" in plans) return plans;
  if (plans.some(({ decision }) => decision.block?.by === "undecided-sender"))
    return refusals.senderUndecided;
  let isMissing = false;
  for (const plan of plans)
    if (plan.route.isNew && !isRefused(plan))
      isMissing = !(await deps.masksByMail.make(plan.route)) || isMissing;
  if (!isMissing) return plans;
  const known = await refreshRoutes(deps, routes);
  return known ? planAndEncrypt(deps, mail, known) : refusals.changedMeanwhile;
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
  const all = await planAndMakeMasks(deps, mail, routes);
  if ("code" in all) return all;
  // Mail that is refused makes no mask.
  const plans = all.filter((plan) => !plan.route.isNew || !isRefused(plan));
  if (plans.length === 0 && all.length > 0 && postmaster === null)
    return refusalOf(all, false) ?? refusals.refusedByRule;
  const sources = deps.senderLimits.sourcesOf(origin, plans);
  if (deps.senderLimits.isUsedUp(plans, sources)) return refusals.dailyShareUsedUp;
  const notice = noticeOf(deps, mail, postmaster);
  const envelopeSender = received.envelope.sender === "" ? "" : bounceAddress(maskDomain);
  const reportTo = reportRecipient(mail, plans[0]?.evidence ?? null, maskDomain);
  const logEntries = await deps.mailLog.prepare(plans);
  const lastMails = await deps.prepareLastMails(
    mail.content,
    plans.map(({ route }) => route),
  );
  const committed = await commit({
    month,
    envelopeSender,
    reportTo,
    plans,
    sources,
    notice,
    logEntries,
    lastMails,
  });
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
  const logRefusal = (reply: SmtpReply): void =>
    deps.mailLog.refused(
      accepted.recipients.map(({ route }) => route),
      { sender: mail.envelope.sender, size: mail.content.size },
      reply,
    );
  let usage: CommitResult["received"] = new Map();
  let isTaken = false;
  try {
    const began = performance.now();
    for (const id of accepted.bouncedIds) await deps.bounces.handle(id, mail.content);
    if (mail.envelope.sender === "")
      await deps.countLateBounces(
        mail.content,
        accepted.recipients.map(({ route }) => route),
      );
    const result = await queueMail(deps, mail, accepted, whole.read);
    if ("code" in result) {
      logRefusal(result);
      return result;
    }
    const { committed, plans, refusal } = result;
    usage = committed.received;
    const notStored = commitReplies[committed.kind];
    if (notStored) logRefusal(notStored);
    const answer = notStored ?? refusal;
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
