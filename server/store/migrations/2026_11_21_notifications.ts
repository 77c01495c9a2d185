import { type Kysely, sql } from "kysely";
import type { Engine } from "../dialect.ts";

/** SQLite gives out the highest id a second time when its row is deleted, unless the column counts for itself. */
const countForItself = async (db: Kysely<never>): Promise<void> => {
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

/** A user's notifications are read in the order of their ids, and an id is never given out twice. */
export const notifications = (engine: Engine) => ({
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema.dropIndex("notifications_of_user").execute();
    if (engine.name === "sqlite") await countForItself(db);
    await db.schema
      .createIndex("notifications_in_order")
      .on("notifications")
      .columns(["user_id", "id"])
      .execute();
  },
});
