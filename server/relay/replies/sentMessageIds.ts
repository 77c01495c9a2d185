import { createHash } from "node:crypto";
import type { Db } from "../../platform/store/database.ts";
import { messageIdsIn } from "./threadIds.ts";

const hashOf = (messageId: string): string => createHash("sha256").update(messageId).digest("base64url");

/** Returns the Message-ID in the header of a written mail; null without one. */
const messageIdOf = (head: Uint8Array): string | null => {
  const [, value = ""] =
    /^message-id:([^\r\n]*(?:\r\n[ \t][^\r\n]*)*)/im.exec(Buffer.from(head).toString("latin1")) ?? [];
  return messageIdsIn(value)[0] ?? null;
};

/** Remembers the Message-ID of a mail from a mask for each of its copies, in the transaction that queues them. */
export const recordSentMessageId = async (
  db: Db,
  head: Uint8Array,
  queueIds: readonly string[],
  now: number,
): Promise<void> => {
  const messageId = messageIdOf(head);
  if (messageId === null || queueIds.length === 0) return;
  const message_hash = hashOf(messageId);
  await db
    .insertInto("sent_message_ids")
    .values(queueIds.map((queue_id) => ({ queue_id, message_hash, created_at: now })))
    .execute();
};

interface SentMail {
  readonly userId: string;
  readonly maskId: string;
  readonly maskEmail: string;
  readonly recipient: string;
  /** Those that a report returns. */
  readonly messageIds: readonly string[];
}

/** Returns the newest delivered copy of a mask's mail to an address with one of the ids; undefined when there is none. */
export const findSentCopy = (db: Db, { userId, maskId, maskEmail, recipient, messageIds }: SentMail) =>
  db
    .selectFrom("queue")
    .innerJoin("sent_message_ids", "sent_message_ids.queue_id", "queue.id")
    .where("sent_message_ids.message_hash", "in", messageIds.map(hashOf))
    .where("queue.mask_id", "=", maskId)
    .where("queue.user_id", "=", userId)
    .where("queue.envelope_sender", "=", maskEmail)
    .where("queue.status", "=", "delivered")
    .where(({ eb, fn }) => eb(fn<string>("lower", ["queue.recipient"]), "=", recipient.toLowerCase()))
    .orderBy("queue.id", "desc")
    .limit(1)
    .select(["queue.id", "queue.recipient", "queue.log_id as entryId"])
    .executeTakeFirst();

/** Deletes the ids of mails that are no longer in the queue. */
export const pruneSentMessageIds = async (db: Db): Promise<void> => {
  await db
    .deleteFrom("sent_message_ids")
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(selectFrom("queue").select("queue.id").whereRef("queue.id", "=", "sent_message_ids.queue_id")),
      ),
    )
    .execute();
};
