import { type Kysely, sql } from "kysely";

/** Adds reverse addresses, and the number of replies per day. */
export const replies = () => ({
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema
      .createTable("reverse_addresses")
      .addColumn("token_hash", "text", (c) => c.primaryKey())
      .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
      .addColumn("mask_id", "text", (c) => c.notNull().references("masks.id").onDelete("cascade"))
      .addColumn("correspondent_hash", "text", (c) => c.notNull())
      .addColumn("sealed", "text", (c) => c.notNull())
      .addColumn("created_at", "bigint", (c) => c.notNull())
      .addColumn("last_in_at", "bigint")
      .addColumn("last_out_at", "bigint")
      .addColumn("replies", "bigint", (c) => c.notNull())
      .execute();
    await db.schema
      .createIndex("reverse_addresses_of_mask")
      .on("reverse_addresses")
      .columns(["mask_id", "correspondent_hash"])
      .execute();
    await db.schema
      .createIndex("reverse_addresses_of_user")
      .on("reverse_addresses")
      .column("user_id")
      .execute();
    await db.schema
      .createTable("daily_replies")
      .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
      .addColumn("day", "text", (c) => c.notNull())
      .addColumn("sent", "bigint", (c) => c.notNull())
      .addPrimaryKeyConstraint("daily_replies_pk", ["user_id", "day"])
      .execute();
  },
});

/** Adds how many replies of a day failed, and until when the replies of an account are paused. */
export const replyPauses = () => ({
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema
      .alterTable("daily_replies")
      .addColumn("failed", "bigint", (c) => c.notNull().defaultTo(0))
      .execute();
    await db.schema.alterTable("users").addColumn("replies_paused_until", "bigint").execute();
  },
});

/**
 * Adds whether only links lead to a correspondent, and whether the owner made the address, as they made all that no mail
 * has named. The index finds those that expire.
 */
export const reverseAddresses = () => ({
  up: async (db: Kysely<never>): Promise<void> => {
    for (const column of ["is_link", "is_opened"])
      await db.schema
        .alterTable("reverse_addresses")
        .addColumn(column, "integer", (c) => c.notNull().defaultTo(0))
        .execute();
    await sql`update reverse_addresses set is_opened = 1 where last_in_at is null`.execute(db);
    await sql`create index unanswered_reverse_addresses on reverse_addresses (last_in_at)
      where last_out_at is null`.execute(db);
  },
});

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
