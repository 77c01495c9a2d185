import type { Kysely } from "kysely";

/** Adds the operator's decisions about an account, and invitations. */
export const operators = () => ({
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema.alterTable("users").addColumn("assigned_tier", "text").execute();
    await db.schema
      .alterTable("users")
      .addColumn("suspended", "integer", (c) => c.notNull().defaultTo(0))
      .execute();
    await db.schema
      .alterTable("users")
      .addColumn("is_operator", "integer", (c) => c.notNull().defaultTo(0))
      .execute();
    await db.schema
      .createTable("invitations")
      .addColumn("token_hash", "text", (c) => c.primaryKey())
      .addColumn("created_at", "bigint", (c) => c.notNull())
      .addColumn("expires_at", "bigint", (c) => c.notNull())
      .execute();
  },
});
