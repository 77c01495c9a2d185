import { type Kysely, sql } from "kysely";

/** Adds the passwords of mail programs. */
export const appPasswords = () => ({
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema
      .createTable("app_passwords")
      .addColumn("id", "text", (c) => c.primaryKey())
      .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
      .addColumn("name", "text", (c) => c.notNull())
      .addColumn("lookup", "text", (c) => c.notNull().unique())
      .addColumn("hash", "text", (c) => c.notNull())
      .addColumn("created_at", "bigint", (c) => c.notNull())
      .addColumn("last_used_at", "bigint")
      .execute();
    await db.schema.createIndex("app_passwords_of_user").on("app_passwords").column("user_id").execute();
  },
});

/** Indexes the day's counts of all users, and the mails that could not be delivered. */
export const operatorFigures = () => ({
  up: async (db: Kysely<never>): Promise<void> => {
    await sql`create index counts_of_day on account_counts (period) where kind = 'day'`.execute(db);
    await sql`create index failed_mails on queue (finished_at) where status = 'failed'`.execute(db);
  },
});
