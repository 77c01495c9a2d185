import { causeTexts } from "../../../core/mailLog/explainEntry.ts";
import { type LoggedSender, shownAddress } from "../../delivery/mailLog/sentLog.ts";
import type { Seal } from "../../platform/ops/secrets.ts";
import type { Db } from "../../platform/store/database.ts";
import { announce, type Occurrence } from "../webhooks/announce.ts";
import { findActiveWebhooks } from "../webhooks/webhookQueries.ts";

/** A mail that an owner sends from a mask. */
export interface AnnouncedSending {
  readonly sender: LoggedSender;
  readonly recipients: readonly string[];
  readonly size: number;
  readonly logId: string | null;
}

const toOccurrence = async (
  db: Db,
  { sender: { userId, maskId, log }, recipients, size, logId }: AnnouncedSending,
): Promise<readonly Occurrence[]> => {
  const mask = await db
    .selectFrom("masks")
    .select(["email", "labels"])
    .where("id", "=", maskId)
    .executeTakeFirst();
  if (!mask) return [];
  const to = log === "off" ? null : [...new Set(recipients.map((address) => shownAddress(log, address)))];
  return [
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
  ];
};

/** Announces mails that owners send from masks, in their transaction. */
export const announceSentMails = async (
  db: Db,
  seal: Pick<Seal, "seal">,
  mails: readonly AnnouncedSending[],
  now: number,
): Promise<void> => {
  const webhooks = await findActiveWebhooks(db, [...new Set(mails.map(({ sender }) => sender.userId))]);
  const users = new Set(webhooks.map(({ user_id }) => user_id));
  const occurrences: Occurrence[] = [];
  for (const mail of mails)
    if (users.has(mail.sender.userId)) occurrences.push(...(await toOccurrence(db, mail)));
  await announce(db, seal, occurrences, now);
};
