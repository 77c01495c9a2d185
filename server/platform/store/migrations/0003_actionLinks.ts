import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";

/** Where forwarded mail has links that act on its mask: for an account, and for a mask that differs from it. */
export const actionLinks: Migration = {
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema
      .alterTable("users")
      .addColumn("action_links", "text", (c) => c.notNull().defaultTo("off"))
      .execute();
    await db.schema
      .alterTable("masks")
      .addColumn("action_links", "text", (c) => c.notNull().defaultTo("account"))
      .execute();
  },
};
