import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * Addresses of masks that their owners should not have had, for the operator, and whether the installation has looked for
 * them: the next start does, which knows the domain of the masks.
 */
export const removedAddresses: Migration = {
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema.alterTable("installation").addColumn("names_checked_at", "bigint").execute();
    await db.schema
      .createTable("removed_addresses")
      .addColumn("address", "text", (c) => c.primaryKey())
      .addColumn("user_id", "text", (c) => c.references("users.id").onDelete("set null"))
      .addColumn("removed_at", "bigint", (c) => c.notNull())
      .execute();
    await db.schema
      .createIndex("removed_addresses_by_user")
      .on("removed_addresses")
      .column("user_id")
      .execute();
  },
};
