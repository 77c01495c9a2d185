import { type Kysely, sql } from "kysely";

/** Adds the log of mail: what is kept for whom, its entries, what happened to them, and which copies belong to one. */
export const mailLog = () => ({
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema
      .alterTable("users")
      .addColumn("mail_log", "text", (c) => c.notNull().defaultTo("off"))
      .execute();
    await db.schema
      .createTable("log_entries")
      .addColumn("id", "text", (c) => c.primaryKey())
      .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
      .addColumn("mask_id", "text", (c) => c.notNull())
      .addColumn("at", "bigint", (c) => c.notNull())
      .addColumn("result", "text", (c) => c.notNull())
      .addColumn("detail", "text")
      .addColumn("sealed", "integer", (c) => c.notNull())
      .execute();
    await db.schema.createIndex("log_of_user").on("log_entries").columns(["user_id", "id"]).execute();
    await db.schema.createIndex("log_of_mask").on("log_entries").columns(["mask_id", "id"]).execute();
    await db.schema
      .createTable("log_steps")
      .addColumn("entry_id", "text", (c) => c.notNull().references("log_entries.id").onDelete("cascade"))
      .addColumn("copy_id", "text", (c) => c.notNull())
      .addColumn("state", "text", (c) => c.notNull())
      .addColumn("at", "bigint", (c) => c.notNull())
      .addColumn("times", "integer", (c) => c.notNull())
      .addColumn("detail", "text")
      .addColumn("sealed", "integer", (c) => c.notNull())
      .addPrimaryKeyConstraint("step_of_entry", ["entry_id", "copy_id", "state"])
      .execute();
    await db.schema.alterTable("queue").addColumn("log_id", "text").execute();
    await sql`create index logged_copies on queue (log_id) where log_id is not null`.execute(db);
  },
});
