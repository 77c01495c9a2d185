import type { Kysely } from "kysely";

/**
 * Adds held mail, the address that a report about a failed delivery may go to, how many reports a sender got
 * per day, and the held mail that a notification is about.
 */
export const heldMails = () => ({
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema
      .createTable("held_mails")
      .addColumn("id", "text", (c) => c.primaryKey())
      .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
      .addColumn("mask_id", "text")
      .addColumn("direction", "text", (c) => c.notNull())
      .addColumn("reason", "text", (c) => c.notNull())
      .addColumn("sealed", "text", (c) => c.notNull())
      .addColumn("held_at", "bigint", (c) => c.notNull())
      .addColumn("noticed_at", "bigint")
      .execute();
    await db.schema
      .createIndex("held_mails_of_user")
      .on("held_mails")
      .columns(["user_id", "held_at"])
      .execute();
    await db.schema.alterTable("queue").addColumn("report_to", "text").execute();
    await db.schema
      .createTable("sent_reports")
      .addColumn("sender_hash", "text", (c) => c.notNull())
      .addColumn("day", "text", (c) => c.notNull())
      .addColumn("sent", "bigint", (c) => c.notNull())
      .addPrimaryKeyConstraint("reports_of_day", ["sender_hash", "day"])
      .execute();
    await db.schema.alterTable("notifications").addColumn("held_id", "text").execute();
  },
});
