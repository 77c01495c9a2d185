import { addNotification } from "../notifications/notificationQueries.ts";
import type { Db } from "../store/database.ts";
import type { QueuedMail } from "./queueQueries.ts";
import { smtpCodes } from "./smtpAnswer.ts";

/** Why delivery of a mail was given up: the mail was refused, or 5 days of retries failed. */
export type FailureReason = "refused" | "expired";

type OwnedMail = Pick<QueuedMail, "userId" | "maskId">;

const maskName = async (db: Db, { userId, maskId }: OwnedMail): Promise<string> => {
  if (userId === null || maskId === null) return "a mask";
  const mask = await db
    .selectFrom("masks")
    .where("id", "=", maskId)
    .where("user_id", "=", userId)
    .where("deleted_at", "is", null)
    .select("email")
    .executeTakeFirst();
  return mask?.email ?? "a deleted mask";
};

const failureMessage = (mask: string, reason: FailureReason, answer: string): string => {
  const codes = smtpCodes(answer);
  const suffix = codes === "" ? "" : ` (${codes})`;
  return reason === "refused"
    ? `A mail to ${mask} could not be forwarded: the server of your address refused it${suffix}.`
    : `A mail to ${mask} could not be forwarded: it was tried for 5 days${suffix}.`;
};

/** Notifies the owner of a mask that a mail to it is lost. System mail has no owner and is skipped. */
export const notifyDeliveryFailure = async (
  db: Db,
  mail: OwnedMail,
  failure: { readonly reason: FailureReason; readonly answer: string },
  now: number,
): Promise<void> => {
  if (mail.userId === null) return;
  const message = failureMessage(await maskName(db, mail), failure.reason, failure.answer);
  await addNotification(db, { userId: mail.userId, type: "error", priority: "high", message }, now);
};
