import { type Kysely, sql } from "kysely";
import type { Engine } from "../engine.ts";

/** Makes SQLite use autoincrement, without which it assigns the id of a deleted newest row again. */
const enableAutoIncrement = async (db: Kysely<never>): Promise<void> => {
  await sql`alter table notifications rename to notifications_before`.execute(db);
  await db.schema
    .createTable("notifications")
    .addColumn("id", "integer", (c) => c.primaryKey().autoIncrement())
    .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("type", "text", (c) => c.notNull())
    .addColumn("priority", "text", (c) => c.notNull())
    .addColumn("message", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("read_at", "bigint")
    .execute();
  await sql`
    insert into notifications (id, user_id, type, priority, message, created_at, read_at)
    select id, user_id, type, priority, message, created_at, read_at from notifications_before
  `.execute(db);
  await db.schema.dropTable("notifications_before").execute();
};

/** Makes notification ids unique forever and adds the index for a user's notifications in order. */
export const notifications = (engine: Engine) => ({
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema.dropIndex("notifications_of_user").execute();
    if (engine.name === "sqlite") await enableAutoIncrement(db);
    await db.schema
      .createIndex("notifications_in_order")
      .on("notifications")
      .columns(["user_id", "id"])
      .execute();
  },
});

/** Adds the client whose request made a change, which is not notified of it. */
export const eventClients = () => ({
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema.alterTable("events").addColumn("client_id", "text").execute();
  },
});

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

/** Adds the mask and the sender of the mail that a notification is about. */
export const notificationSenders = () => ({
  up: async (db: Kysely<never>): Promise<void> => {
    for (const column of ["mask_id", "sender"])
      await db.schema.alterTable("notifications").addColumn(column, "text").execute();
  },
});
