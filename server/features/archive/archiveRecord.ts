import { dayMs } from "../../../core/kernel/durations.ts";
import { daysKept } from "../../../core/mail/keptInApp.ts";
import { enqueue } from "../../delivery/queue/queueQueries.ts";
import type { MailDecision } from "../../relay/decision/mailDecision.ts";
import type { MailCommit, MailRecord, StoredDecision, StoredEffect } from "../../relay/mailPart.ts";
import { notifyOnce } from "../notifications/notificationQueries.ts";
import { archiveMail } from "./archiveQueries.ts";

const fullMessage =
  "Your archive is full, so mail that a rule would keep there is sent to you instead. Delete archived mail to make room.";

/** A full archive sends the mail to the destination and notifies the owner. */
const archiveCopy = async (
  { database, db, now, random }: MailCommit,
  { decided: { route, copies }, envelopeSender, logId, network, limits }: StoredDecision,
  { content, ifFull, markAsRead }: NonNullable<MailDecision["archive"]>,
): Promise<StoredEffect> => {
  const { userId, maskId, destination } = route;
  const days = route.keptInApp === "no" ? null : daysKept(route.keptInApp);
  const expiresAt = days === null ? null : now + days * dayMs;
  const mail = { userId, maskId, content, read: markAsRead, expiresAt, network };
  if (limits && (await archiveMail(database, db, mail, { now, random, limits }))) return { archived: true };
  const warning = { userId, type: "warning", priority: "normal", message: fullMessage } as const;
  await notifyOnce(db, warning, dayMs, now);
  if (copies.some(({ recipient }) => recipient === destination)) return {};
  await enqueue(
    db,
    { userId, maskId, envelopeSender, recipient: destination, content: ifFull, logId },
    { now, random },
  );
  return { isSentInstead: true };
};

/** Archives the copies of decisions that say so, in the transaction of their mail. */
export const archiveRecord: MailRecord = {
  keep: (commit, mail) => {
    const { archive } = mail.decided;
    return archive ? archiveCopy(commit, mail, archive) : undefined;
  },
};
