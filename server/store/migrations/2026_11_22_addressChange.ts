import type { Kysely } from "kysely";

/** The new addresses that users have asked for and not proved yet. */
export const addressChange = () => ({
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema
      .createTable("address_changes")
      .addColumn("user_id", "text", (c) => c.primaryKey().references("users.id").onDelete("cascade"))
      .addColumn("email", "text", (c) => c.notNull())
      .addColumn("email_key", "text", (c) => c.notNull())
      .addColumn("code_hash", "text", (c) => c.notNull())
      .addColumn("expires_at", "bigint", (c) => c.notNull())
      .addColumn("tries", "integer", (c) => c.notNull())
      .addColumn("sent_at", "text", (c) => c.notNull())
      .execute();
  },
});
