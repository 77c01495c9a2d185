import type { Kysely } from "kysely";
import type { Engine } from "../dialect.ts";

const owned = (db: Kysely<never>, name: string) =>
  db.schema
    .createTable(name)
    .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"));

/** What rules leave behind: figures, answers sent, the archive, and what waits for the hourly mail. */
export const relay = (engine: Engine) => ({
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema
      .alterTable("mask_statistics")
      .addColumn("month", "text", (c) => c.notNull().defaultTo(""))
      .execute();
    await db.schema
      .alterTable("mask_statistics")
      .addColumn("month_received", "bigint", (c) => c.notNull().defaultTo(0))
      .execute();
    await db.schema
      .alterTable("mask_statistics")
      .addColumn("details", "text", (c) => c.notNull().defaultTo("{}"))
      .execute();

    await owned(db, "automatic_answers")
      .addColumn("mask_id", "text", (c) => c.notNull().references("masks.id").onDelete("cascade"))
      .addColumn("sender_hash", "text", (c) => c.notNull())
      .addColumn("answered_at", "bigint", (c) => c.notNull())
      .addPrimaryKeyConstraint("answered_once_a_while", ["mask_id", "sender_hash"])
      .execute();
    await db.schema
      .createIndex("automatic_answers_of_user")
      .on("automatic_answers")
      .columns(["user_id", "answered_at"])
      .execute();

    await owned(db, "archived_mails")
      .addColumn("id", "text", (c) => c.primaryKey())
      .addColumn("mask_id", "text", (c) => c.notNull())
      .addColumn("content", engine.bytes, (c) => c.notNull())
      .addColumn("size", "bigint", (c) => c.notNull())
      .addColumn("read", "integer", (c) => c.notNull())
      .addColumn("created_at", "bigint", (c) => c.notNull())
      .execute();
    await db.schema
      .createIndex("archived_mails_of_user")
      .on("archived_mails")
      .columns(["user_id", "created_at"])
      .execute();

    await owned(db, "digest_mails")
      .addColumn("id", "text", (c) => c.primaryKey())
      .addColumn("mask_id", "text", (c) => c.notNull())
      .addColumn("recipient", "text", (c) => c.notNull())
      .addColumn("content", engine.bytes, (c) => c.notNull())
      .addColumn("size", "bigint", (c) => c.notNull())
      .addColumn("created_at", "bigint", (c) => c.notNull())
      .execute();
    await db.schema
      .createIndex("digest_mails_in_order")
      .on("digest_mails")
      .columns(["user_id", "recipient", "created_at"])
      .execute();
  },
});
