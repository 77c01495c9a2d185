import type { Kysely } from "kysely";

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
