import type { Kysely } from "kysely";

/** Adds the senders that a mask always or never accepts, and all recipients of a held mail. */
export const senderLists = () => ({
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema
      .createTable("mask_senders")
      .addColumn("mask_id", "text", (c) => c.notNull().references("masks.id").onDelete("cascade"))
      .addColumn("sender_hash", "text", (c) => c.notNull())
      .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
      .addColumn("list", "text", (c) => c.notNull())
      .addColumn("sealed", "text", (c) => c.notNull())
      .addColumn("created_at", "bigint", (c) => c.notNull())
      .addPrimaryKeyConstraint("sender_of_mask", ["mask_id", "sender_hash"])
      .execute();
    await db.schema.createIndex("senders_of_user").on("mask_senders").column("user_id").execute();
    await db.schema.alterTable("held_mails").addColumn("recipients", "text").execute();
  },
});
