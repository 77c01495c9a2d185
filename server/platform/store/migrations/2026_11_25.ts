import type { Kysely } from "kysely";

/** Adds when a mask was deleted, because it can be restored for a minute. */
export const deletedMasks = () => ({
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema.alterTable("masks").addColumn("deleted_at", "bigint").execute();
    await db.schema
      .alterTable("masks")
      .addColumn("deleted_active", "integer", (c) => c.notNull().defaultTo(0))
      .execute();
    await db.schema.createIndex("deleted_masks").on("masks").column("deleted_at").execute();
  },
});
