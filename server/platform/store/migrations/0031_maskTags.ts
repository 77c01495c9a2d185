import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";

/** Whether an account takes mail with tags behind the names of its masks, and the tag of each mask's last such mail. */
export const maskTags: Migration = {
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema
      .alterTable("users")
      .addColumn("mask_tags", "integer", (c) => c.notNull().defaultTo(1))
      .execute();
    await db.schema.alterTable("masks").addColumn("extension", "text").execute();
  },
};
