import type { Clock } from "../../core/ports/clock.ts";
import type { Bounces } from "../delivery/bounces.ts";
import { readHeaderBlock } from "../delivery/headerBlock.ts";
import { bounceAddress, postmasterAddress } from "../delivery/ownAddresses.ts";
import type { MailRoute } from "../masks/mailRoute.ts";
import { localError, type SmtpReply, spoolFull } from "../smtp/replies.ts";
import type { GroupCommit } from "../store/groupCommit.ts";
import { newId } from "../store/id.ts";
import type { CommitRequest, CommitResult } from "./commitMail.ts";
import { copyCount, type DeliveryPlan } from "./deliveryPlan.ts";
import { CannotEncrypt, type EncryptMail, encryptCopies } from "./encryptCopies.ts";
import { prepareForwarding } from "./forwardedMail.ts";
import type { MailLogEntry } from "./mailLog.ts";
import {
  type DeliveryPlanDeps,
  forgedSenderRuleId,
  planDelivery,
  type RawMail,
  toSenderEnvelope,
} from "./planDelivery.ts";
import { maxPostmasterMailBytes } from "./postmaster.ts";
import { isLooping, receivedField } from "./receivedField.ts";
import * as refusals from "./refusals.ts";
import type { Reservations } from "./reservations.ts";
import type { SampleSenders } from "./sampleSenders.ts";
import { type AcceptedMail, maxCopiesBytes, type ReceivedMail } from "./transaction.ts";

export interface ReceiveMailDeps {
  readonly maskDomain: string;
  readonly clock: Pick<Clock, "now">;
  readonly planDeps: DeliveryPlanDeps;
  readonly encryptMail: EncryptMail;
  /** Called with each queued mail; checks the senders of some. */
  readonly sampleSenders: SampleSenders;
  /** Called with each mail that rules have decided about. */
  readonly onEvaluated: (mail: MailLogEntry) => void;
  readonly commit: GroupCommit<CommitRequest, CommitResult>;
  readonly reservations: Reservations;
  readonly bounces: Pick<Bounces, "handle">;
}

const commitReplies: Readonly<Record<CommitResult["kind"], SmtpReply | null>> = {
  queued: null,
  limit: refusals.limitReachedMeanwhile,
  changed: refusals.changedMeanwhile,
  failed: localError,
};

/** Returns the received mail with its header parsed, or the reply that refuses it. */
const readRawMail = (
  { maskDomain, clock, planDeps }: ReceiveMailDeps,
  content: Buffer,
  { sender, trace }: ReceivedMail,
): SmtpReply | RawMail => {
  const header = readHeaderBlock(content);
  if (!header) return refusals.headerTooLarge;
  if (isLooping(header)) return refusals.mailLoop;
  if (header.fields.filter(({ name }) => name === "from").length > 1) return refusals.severalFromFields;
  const traceLine = receivedField(trace, newId(planDeps.random), maskDomain);
  return { content, header, envelopeSender: sender, trace, traceLine, now: clock.now() };
};

interface QueueResult {
  readonly committed: CommitResult;
  readonly plans: readonly DeliveryPlan[];
  readonly refusal: SmtpReply | null;
}

const isRefused = ({ decision }: DeliveryPlan): boolean => decision.block?.how === "refuse";

/** Returns the reply when the rules or spam filters of all recipients refuse a mail; null otherwise. */
const refusalOf = (plans: readonly DeliveryPlan[], hasNotice: boolean): SmtpReply | null => {
  if (hasNotice || plans.length === 0 || !plans.every(isRefused)) return null;
  if (plans.some(({ decision }) => decision.block?.ruleId === forgedSenderRuleId))
    return refusals.forgedSender;
  return plans.some(({ spam }) => spam?.isSpam) ? refusals.refusedAsSpam : refusals.refusedByRule;
};

/** Plans and encrypts all copies of a mail, or returns the reply that refuses it. */
const planAndEncrypt = async (
  { planDeps, encryptMail }: ReceiveMailDeps,
  mail: RawMail,
  routes: readonly MailRoute[],
): Promise<readonly DeliveryPlan[] | SmtpReply> => {
  const plans = await planDelivery(planDeps, mail, routes);
  const copies = plans.reduce((sum, plan) => sum + copyCount(plan), 0);
  if (copies > 1 && mail.content.length * copies > maxCopiesBytes) return refusals.tooManyCopies;
  try {
    return await Promise.all(plans.map((plan) => encryptCopies(encryptMail, plan)));
  } catch (error) {
    if (error instanceof CannotEncrypt) return refusals.cannotEncrypt;
    throw error;
  }
};

const queueMail = async (
  deps: ReceiveMailDeps,
  received: ReceivedMail,
  { month, recipients, postmaster }: AcceptedMail,
): Promise<QueueResult | SmtpReply> => {
  const { maskDomain, commit } = deps;
  const { content, memory } = received;
  const mail = readRawMail(deps, content, received);
  if ("code" in mail) return mail;
  const size = mail.content.length;
  if (postmaster !== null && size > maxPostmasterMailBytes) return refusals.tooLargeForPostmaster;
  const room = size * (recipients.length + (postmaster === null ? 0 : 1));
  if (room > maxCopiesBytes) return refusals.tooManyCopies;
  if (!memory.reserve(room)) return spoolFull;
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
            content: prepareForwarding(mail, mail.traceLine, {
              host: maskDomain,
              evidence: null,
              acceptUnproven: true,
            })(postmasterAddress(maskDomain)),
          };
    const envelopeSender = received.sender === "" ? "" : bounceAddress(maskDomain);
    const committed = await commit.submit({ month, envelopeSender, plans, notice });
    if (committed.kind === "queued") deps.sampleSenders(content, toSenderEnvelope(mail), plans);
    return { committed, plans, refusal: refusalOf(plans, notice !== null) };
  } finally {
    memory.release(room);
  }
};

/**
 * Handles one mail whose content has arrived and returns the reply; null means 250, and then the mail is stored
 * durably for all recipients. In every case the reservations of the transaction are used or released.
 */
export const receiveMail = async (
  deps: ReceiveMailDeps,
  mail: ReceivedMail,
  accepted: AcceptedMail,
): Promise<SmtpReply | null> => {
  let usage: CommitResult["received"] = new Map();
  try {
    const began = performance.now();
    for (const id of accepted.bouncedIds) await deps.bounces.handle(id, mail.content);
    const result = await queueMail(deps, mail, accepted);
    if ("code" in result) return result;
    const { committed, plans, refusal } = result;
    usage = committed.received;
    const answer = commitReplies[committed.kind] ?? refusal;
    const [code, size, ms] = [answer?.code ?? 250, mail.content.length, performance.now() - began];
    deps.onEvaluated({ result: committed, plans, code, size, ms });
    return answer;
  } finally {
    for (const { allowance } of accepted.recipients)
      deps.reservations.release(allowance, usage.get(allowance.userId) ?? 0);
  }
};
