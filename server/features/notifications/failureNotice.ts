import type { NotifyBounce } from "../../delivery/bounces.ts";
import { smtpCodes } from "../../delivery/smtpAnswer.ts";
import type { Db } from "../../platform/store/database.ts";
import { addNotification } from "./notificationQueries.ts";

type OwnedMail = Parameters<NotifyBounce>[1];

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

/**
 * Notifies the owner of a mask that a server beyond the next hop could not deliver a mail. System mail has no owner
 * and is skipped.
 */
export const notifyBounce: NotifyBounce = async (db, mail, answer, now) => {
  if (mail.userId === null) return;
  const codes = smtpCodes(answer);
  const suffix = codes === "" ? "" : ` (${codes})`;
  const message = `A mail to ${await maskName(db, mail)} could not be forwarded: the server of your address refused it${suffix}.`;
  await addNotification(db, { userId: mail.userId, type: "error", priority: "high", message }, now);
};
