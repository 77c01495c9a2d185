import type { Kysely } from "kysely";

/** Adds whether the Web Key Directory serves a user's key. */
export const publishedKeys = () => ({
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema
      .alterTable("public_keys")
      .addColumn("published", "integer", (c) => c.notNull().defaultTo(1))
      .execute();
  },
});
