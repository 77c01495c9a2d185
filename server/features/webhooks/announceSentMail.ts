import { causeTexts } from "../../../core/mailLog/explainEntry.ts";
import type { Seal } from "../../platform/ops/secrets.ts";
import type { Db } from "../../platform/store/database.ts";
import { type LoggedSender, shownAddress } from "../mailLog/sentLog.ts";
import { announce } from "./announce.ts";
import { findActiveWebhooks } from "./webhookQueries.ts";

/** Announces a mail that an owner sends from a mask, in its transaction. */
export const announceSentMail = async (
  db: Db,
  seal: Pick<Seal, "seal">,
  { userId, maskId, log }: LoggedSender,
  mail: { readonly recipients: readonly string[]; readonly size: number; readonly logId: string | null },
  now: number,
): Promise<void> => {
  if ((await findActiveWebhooks(db, [userId])).length === 0) return;
  const mask = await db
    .selectFrom("masks")
    .select(["email", "labels"])
    .where("id", "=", maskId)
    .executeTakeFirst();
  if (!mask) return;
  const { recipients, size, logId } = mail;
  const to = log === "off" ? null : [...new Set(recipients.map((address) => shownAddress(log, address)))];
  await announce(
    db,
    seal,
    [
      {
        userId,
        event: "mail.replied",
        data: {
          mask: { id: maskId, address: mask.email, labels: JSON.parse(mask.labels) as readonly string[] },
          mail: { size, to: null, ...(logId === null ? {} : { logId }) },
          result: "sent",
          reason: { code: "sent", text: causeTexts.sent("") },
        },
        sealed: { people: { to }, content: {} },
      },
    ],
    now,
  );
};
