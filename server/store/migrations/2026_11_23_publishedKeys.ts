import type { Kysely } from "kysely";

/** Whether whoever knows a mask can ask for its owner's key. */
export const publishedKeys = () => ({
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema
      .alterTable("public_keys")
      .addColumn("published", "integer", (c) => c.notNull().defaultTo(1))
      .execute();
  },
});
