import type { Kysely } from "kysely";
import type { Engine } from "../engine.ts";

/** Adds the last mails of masks, which are kept for a day to test rules with, and whose user wants that. */
export const lastMails = (engine: Engine) => ({
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema
      .alterTable("users")
      .addColumn("keep_last_mails", "integer", (c) => c.notNull().defaultTo(0))
      .execute();
    await db.schema
      .createTable("last_mails")
      .addColumn("id", "text", (c) => c.primaryKey())
      .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
      .addColumn("mask_id", "text", (c) => c.notNull().references("masks.id").onDelete("cascade"))
      .addColumn("received_at", "bigint", (c) => c.notNull())
      .addColumn("size", "bigint", (c) => c.notNull())
      .addColumn("content", engine.binaryType, (c) => c.notNull())
      .execute();
    await db.schema
      .createIndex("last_mails_of_user")
      .on("last_mails")
      .columns(["user_id", "received_at"])
      .execute();
    await db.schema
      .createIndex("last_mails_of_mask")
      .on("last_mails")
      .columns(["mask_id", "received_at"])
      .execute();
  },
});
