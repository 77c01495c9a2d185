import { createHash } from "node:crypto";
import type { Database, Db } from "../../platform/store/database.ts";
import type { RowStatement } from "../../platform/store/engine.ts";
import { messageIdsIn } from "./threadIds.ts";

const hashOf = (messageId: string): string => createHash("sha256").update(messageId).digest("base64url");

/** Returns the Message-ID in the header of a written mail; null without one. */
const messageIdOf = (head: Uint8Array): string | null => {
  const [, value = ""] =
    /^message-id:([^\r\n]*(?:\r\n[ \t][^\r\n]*)*)/im.exec(Buffer.from(head).toString("latin1")) ?? [];
  return messageIdsIn(value)[0] ?? null;
};

const insertIds: RowStatement = {
  columns: { queue_id: "text", message_hash: "text", created_at: "bigint" },
  text: (rows) =>
    `insert into sent_message_ids (queue_id, message_hash, created_at)
     select given.queue_id, given.message_hash, given.created_at from ${rows}`,
};

/** Remembers the Message-IDs of copies of mails from masks, in the transaction that queues them. */
export const recordSentMessageIds = async (
  { engine }: Pick<Database, "engine">,
  db: Db,
  copies: readonly { readonly queueId: string; readonly head: Uint8Array }[],
  now: number,
): Promise<void> => {
  const rows = copies.flatMap(({ queueId, head }) => {
    const messageId = messageIdOf(head);
    return messageId === null ? [] : [[queueId, hashOf(messageId), now]];
  });
  await engine.runRows(db, insertIds, rows);
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
