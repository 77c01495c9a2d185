import type { Db } from "../store/database.ts";
import { addNotification } from "../store/notifications.ts";
import type { LeasedMail } from "../store/queueLeases.ts";
import { codesOf } from "./answer.ts";

/** Why a mail went no further: it was refused, or nobody took it for 5 days. */
export type FailureReason = "refused" | "expired";

type OwnedMail = Pick<LeasedMail, "userId" | "maskId">;

const maskName = async (db: Db, { userId, maskId }: OwnedMail): Promise<string> => {
  if (userId === null || maskId === null) return "a mask";
  const mask = await db
    .selectFrom("masks")
    .where("id", "=", maskId)
    .where("user_id", "=", userId)
    .select("email")
    .executeTakeFirst();
  return mask?.email ?? "a deleted mask";
};

const sentence = (mask: string, reason: FailureReason, answer: string): string => {
  const codes = codesOf(answer);
  const said = codes === "" ? "" : ` (${codes})`;
  return reason === "refused"
    ? `A mail to ${mask} could not be forwarded: the server of your address refused it${said}.`
    : `A mail to ${mask} could not be forwarded: it was tried for 5 days${said}.`;
};

/** Tells the owner, once, that a mail to a mask of theirs is lost. Mail of our own has no owner to tell. */
export const tellOwner = async (
  db: Db,
  mail: OwnedMail,
  failure: { readonly reason: FailureReason; readonly answer: string },
  now: number,
): Promise<void> => {
  if (mail.userId === null) return;
  const message = sentence(await maskName(db, mail), failure.reason, failure.answer);
  await addNotification(db, { userId: mail.userId, type: "error", priority: "high", message }, now);
};
