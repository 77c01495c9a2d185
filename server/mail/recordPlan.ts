import { dayMs } from "../../core/kernel/durations.ts";
import { countMail } from "../../core/masks/mailStatistics.ts";
import type { Random } from "../../core/ports/random.ts";
import { archiveMail } from "../archive/archiveQueries.ts";
import { addDigestMail } from "../delivery/digestQueries.ts";
import { enqueue } from "../delivery/queueQueries.ts";
import type { MailRoute } from "../masks/mailRoute.ts";
import { countReceivedMail, updateRuleStatistics } from "../masks/maskStatistics.ts";
import { addNotification, wasNotifiedSince } from "../notifications/notificationQueries.ts";
import type { Db } from "../store/database.ts";
import { claimAutomaticAnswer } from "./automaticAnswerQueries.ts";
import type { CommittedMail, DeliveryPlan, OutgoingCopy } from "./deliveryPlan.ts";

const archiveFullMessage =
  "Your archive is full, so mail that a rule would keep there is sent to you instead. Delete archived mail to make room.";
const archiveFullIntervalMs = dayMs;

/** Notifies the owner, at most once a day. */
const notifyArchiveFull = async (db: Db, { userId }: MailRoute, now: number): Promise<void> => {
  if (await wasNotifiedSince(db, userId, archiveFullMessage, now - archiveFullIntervalMs)) return;
  await addNotification(
    db,
    { userId, type: "warning", priority: "normal", message: archiveFullMessage },
    now,
  );
};

/** Maximum number of notifications about one mail. */
const maxNotificationsPerMail = 20;

const defaultMessage = ({ route, decision }: DeliveryPlan, ruleId: string): string => {
  const rule = decision.applied.find(({ id }) => id === ruleId);
  return `A mail has come to ${route.maskEmail}: rule "${rule?.name ?? ruleId}".`;
};

/** Whether the owner has turned on notifications about important mail and this mail is important (SG5). */
const isPrioritized = ({ route, category, block }: DeliveryPlan): boolean =>
  block === null && category === "important" && route.consent?.features.prioritization === true;

/**
 * Creates the notifications that rules ask for (NO1). A notification without its own text names the mask and the
 * rule, and nothing of the mail.
 */
const notifyOwner = async (db: Db, plan: DeliveryPlan, now: number): Promise<void> => {
  const { route, decision } = plan;
  if (isPrioritized(plan))
    await addNotification(
      db,
      {
        userId: route.userId,
        type: "info",
        priority: "high",
        message: `An important mail has come to ${route.maskEmail}.`,
      },
      now,
    );
  for (const { message, ruleId } of decision.notify.slice(0, maxNotificationsPerMail))
    await addNotification(
      db,
      {
        userId: route.userId,
        type: "info",
        priority: "high",
        message: message || defaultMessage(plan, ruleId),
      },
      now,
    );
};

export interface RecordContext {
  readonly now: number;
  readonly random: Random;
  /** Month the mail is counted for. */
  readonly month: string;
  /** Our bounce address, or empty for the null sender. */
  readonly envelopeSender: string;
}

interface ArchiveResult {
  readonly archived: boolean;
  /** Copies that are sent immediately; one more when the archive is full. */
  readonly copies: readonly OutgoingCopy[];
}

/** Stores the mail in the archive when a rule asks for it. */
const archiveCopy = async (
  db: Db,
  plan: DeliveryPlan,
  { now, random }: RecordContext,
): Promise<ArchiveResult> => {
  const { route, archive: requested, copies } = plan;
  if (!requested) return { archived: false, copies };
  const { userId, maskId, storage, destination } = route;
  const { content, markAsRead } = requested;
  const mail = { userId, maskId, content, read: markAsRead };
  if (await archiveMail(db, mail, { now, random, storage })) return { archived: true, copies };
  await notifyArchiveFull(db, route, now);
  const isSent = copies.some(({ recipient }) => recipient === destination);
  return { archived: false, copies: isSent ? copies : [...copies, { recipient: destination, content }] };
};

/** Whether the automatic reply is sent; marks the sender as answered. */
const claimAutoReply = async (db: Db, { route, autoReply }: DeliveryPlan, now: number): Promise<boolean> => {
  const { userId, maskId } = route;
  return (
    autoReply !== null && claimAutomaticAnswer(db, { userId, maskId, senderHash: autoReply.senderHash }, now)
  );
};

const countRules = async (db: Db, { route, decision, block }: DeliveryPlan, now: number): Promise<void> => {
  const { applied, tags } = decision;
  if (applied.length === 0 && block === null) return;
  const at = new Date(now).toISOString();
  await updateRuleStatistics(db, route.maskId, (details) => countMail(details, { at, applied, tags, block }));
};

const enqueueCopies = async (
  db: Db,
  plan: DeliveryPlan,
  copies: readonly OutgoingCopy[],
  isAnswered: boolean,
  { now, random, envelopeSender }: RecordContext,
): Promise<void> => {
  const { userId, maskId } = plan.route;
  const at = { now, random };
  for (const copy of copies) await enqueue(db, { userId, maskId, envelopeSender, ...copy }, at);
  for (const copy of plan.digest) await addDigestMail(db, { userId, maskId, ...copy }, at);
  if (!isAnswered || plan.autoReply === null) return;
  const { recipient, content } = plan.autoReply;
  await enqueue(db, { userId, maskId, envelopeSender: "", recipient, content }, at);
};

/**
 * Records a plan in the mail's transaction. Returns null when the owner has changed the mask in the meantime; then
 * nothing may be committed.
 */
export const recordPlan = async (
  db: Db,
  plan: DeliveryPlan,
  context: RecordContext,
): Promise<CommittedMail | null> => {
  const { route, block, digest } = plan;
  const { now } = context;
  const { archived, copies } = await archiveCopy(db, plan, context);
  const answered = await claimAutoReply(db, plan, now);
  const forwarded = copies.length + digest.length > 0;
  if (!(await countReceivedMail(db, route, { forwarded, blocked: block !== null, answered }, context)))
    return null;
  await countRules(db, plan, now);
  await enqueueCopies(db, plan, copies, answered, context);
  await notifyOwner(db, plan, now);
  return { plan, forwarded, archived, answered };
};
