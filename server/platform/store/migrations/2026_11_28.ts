import type { Kysely } from "kysely";

/** Adds whether a mask accepts unauthenticated senders without a mark. */
export const acceptUnproven = () => ({
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema
      .alterTable("masks")
      .addColumn("accept_unproven", "integer", (c) => c.notNull().defaultTo(0))
      .execute();
  },
});

/** Adds the keys that sign outgoing mail. */
export const dkimKeys = () => ({
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema
      .createTable("dkim_keys")
      .addColumn("selector", "text", (c) => c.primaryKey())
      .addColumn("algorithm", "text", (c) => c.notNull())
      .addColumn("state", "text", (c) => c.notNull())
      .addColumn("private_key", "text", (c) => c.notNull())
      .addColumn("public_key", "text", (c) => c.notNull())
      .addColumn("created_at", "bigint", (c) => c.notNull())
      .addColumn("active_from", "bigint")
      .addColumn("retired_at", "bigint")
      .execute();
  },
});

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
