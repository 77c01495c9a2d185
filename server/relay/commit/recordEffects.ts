import { dayMs } from "../../../core/kernel/durations.ts";
import { daysKept } from "../../../core/mail/keptInApp.ts";
import type { Random } from "../../../core/ports/random.ts";
import type { KeptLimits } from "../../delivery/queue/keptBytes.ts";
import { enqueue } from "../../delivery/queue/queueQueries.ts";
import { archiveMail } from "../../features/archive/archiveQueries.ts";
import { addDigestMail } from "../../features/digest/digestQueries.ts";
import { addNotification, wasNotifiedSince } from "../../features/notifications/notificationQueries.ts";
import { sealSender } from "../../features/notifications/notificationSender.ts";
import type { Seal } from "../../platform/ops/secrets.ts";
import type { Database, Db } from "../../platform/store/database.ts";
import { claimAutomaticAnswer } from "../decision/automaticAnswerQueries.ts";
import type { AutoReply, MailDecision } from "../decision/mailDecision.ts";
import type { MailRoute } from "../mailRoute.ts";

const archiveFullMessage =
  "Your archive is full, so mail that a rule would keep there is sent to you instead. Delete archived mail to make room.";
const sealedCalendarMessage =
  "A signed or encrypted invitation came to a mask and was left as it is: your calendar would answer it from your own address. Answer by mail instead.";
const noticeIntervalMs = dayMs;

/** At most once a day with the same message. */
const warnOwner = async (db: Db, { userId }: MailRoute, message: string, now: number): Promise<void> => {
  if (await wasNotifiedSince(db, userId, message, now - noticeIntervalMs)) return;
  await addNotification(db, { userId, type: "warning", priority: "normal", message }, now);
};

const maxNotificationsPerMail = 20;

const defaultMessage = ({ route, decision }: MailDecision, ruleId: string): string => {
  const rule = decision.applied.find(({ id }) => id === ruleId);
  return `A mail has come to ${route.maskEmail}: rule "${rule?.name ?? ruleId}".`;
};

/** Whether the owner wants notifications about important mail and this mail is important (SG5). */
const isPrioritized = ({ route, category, block }: MailDecision): boolean =>
  block === null && category === "important" && route.consent?.features.prioritization === true;

/** Creates the rules' notifications (NO1). One without its own text names mask and rule, and nothing of the mail. */
const notifyOwner = async (db: Db, decided: MailDecision, { now, seal }: RecordContext): Promise<void> => {
  const { route, decision } = decided;
  const sender = sealSender(seal, route.maskId, decided.from);
  if (isPrioritized(decided))
    await addNotification(
      db,
      {
        userId: route.userId,
        type: "info",
        priority: "high",
        message: `An important mail has come to ${route.maskEmail}.`,
        ...sender,
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
        message: message || defaultMessage(decided, ruleId),
        ...sender,
      },
      now,
    );
};

export interface RecordContext {
  readonly now: number;
  readonly random: Random;
  /** Our bounce address, or empty for the null sender. */
  readonly envelopeSender: string;
  /** Encrypts the senders in notifications. */
  readonly seal: Pick<Seal, "seal">;
  /** The mail's entry in its owner's log; null when it is not logged. */
  readonly logId: string | null;
  /** The network that sends it; null where it is not limited. */
  readonly network: string | null;
  /** What may be kept for its owner. */
  readonly limits: KeptLimits | null;
}

/** What was done for a mask besides forwarding. */
export interface StoredEffects {
  readonly archived: boolean;
  readonly answered: boolean;
  /** Whether a mail for the full archive is sent to the destination instead. */
  readonly isSentInstead: boolean;
  readonly isQueued: boolean;
}

const noEffects: StoredEffects = { archived: false, answered: false, isSentInstead: false, isQueued: false };

/** A full archive sends the mail to the destination and notifies the owner. */
const archiveCopy = async (
  database: Pick<Database, "engine">,
  db: Db,
  { route, copies }: MailDecision,
  { content, ifFull, markAsRead }: NonNullable<MailDecision["archive"]>,
  { now, random, envelopeSender, logId, network, limits }: RecordContext,
): Promise<"archived" | "sent" | "both"> => {
  const { userId, maskId, destination } = route;
  const days = route.keptInApp === "no" ? null : daysKept(route.keptInApp);
  const expiresAt = days === null ? null : now + days * dayMs;
  const mail = { userId, maskId, content, read: markAsRead, expiresAt, network };
  if (limits && (await archiveMail(database, db, mail, { now, random, limits }))) return "archived";
  await warnOwner(db, route, archiveFullMessage, now);
  if (copies.some(({ recipient }) => recipient === destination)) return "both";
  await enqueue(
    db,
    { userId, maskId, envelopeSender, recipient: destination, content: ifFull, logId },
    { now, random },
  );
  return "sent";
};

/** Sends the automatic reply unless its sender got one recently; returns whether it is sent. */
const sendAutoReply = async (
  db: Db,
  { userId, maskId }: MailRoute,
  { senderHash, recipient, content }: AutoReply,
  at: { readonly now: number; readonly random: Random },
): Promise<boolean> => {
  if (!(await claimAutomaticAnswer(db, { userId, maskId, senderHash }, at.now))) return false;
  await enqueue(db, { userId, maskId, envelopeSender: "", recipient, content }, at);
  return true;
};

/** Stores a decision's effects besides forwarding and counting, in the mail's transaction. */
export const recordEffects = async (
  database: Pick<Database, "engine">,
  db: Db,
  decided: MailDecision,
  context: RecordContext,
): Promise<StoredEffects> => {
  const { route, archive, autoReply, digest, decision } = decided;
  if (
    !archive &&
    !autoReply &&
    digest.length === 0 &&
    decision.notify.length === 0 &&
    decided.calendars !== "sealed" &&
    !isPrioritized(decided)
  )
    return noEffects;
  const { now, random } = context;
  const archived = archive ? await archiveCopy(database, db, decided, archive, context) : null;
  const answered = autoReply ? await sendAutoReply(db, route, autoReply, context) : false;
  const { userId, maskId } = route;
  const { network } = context;
  for (const copy of digest) await addDigestMail(db, { userId, maskId, network, ...copy }, { now, random });
  await notifyOwner(db, decided, context);
  if (decided.calendars === "sealed") await warnOwner(db, route, sealedCalendarMessage, now);
  return {
    archived: archived === "archived",
    answered,
    isSentInstead: archived === "sent",
    isQueued: answered || archived === "sent",
  };
};
