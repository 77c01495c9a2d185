import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";

/** Which installation the database belongs to: one row, made at the next start. */
export const installation: Migration = {
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema
      .createTable("installation")
      .addColumn("id", "text", (c) => c.primaryKey())
      .addColumn("keys_mark", "text", (c) => c.notNull())
      .addColumn("mask_domain", "text", (c) => c.notNull())
      .execute();
  },
};
