import type { Kysely } from "kysely";

/**
 * Has the sender that a mask is locked to be proven, and remembers the Message-IDs of mails from masks, so that only a
 * report that returns one counts against their owner.
 */
export const senderProof = () => ({
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema
      .alterTable("mask_senders")
      .addColumn("must_be_proven", "integer", (column) => column.notNull().defaultTo(0))
      .execute();
    await db.schema
      .createTable("sent_message_ids")
      .addColumn("queue_id", "text", (column) => column.primaryKey())
      .addColumn("message_hash", "text", (column) => column.notNull())
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex("sent_message_ids_by_hash")
      .on("sent_message_ids")
      .columns(["message_hash"])
      .execute();
  },
});
