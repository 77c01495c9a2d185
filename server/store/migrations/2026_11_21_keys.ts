import type { Kysely } from "kysely";

/** The public key each user's mail is encrypted to. */
export const keys = () => ({
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema
      .createTable("public_keys")
      .addColumn("user_id", "text", (c) => c.primaryKey().references("users.id").onDelete("cascade"))
      .addColumn("public_key", "text", (c) => c.notNull())
      .addColumn("fingerprint", "text", (c) => c.notNull())
      .addColumn("created_at", "bigint", (c) => c.notNull())
      .execute();
  },
});
