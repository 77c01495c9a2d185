import type { Kysely } from "kysely";

/** Adds whether a mask takes mail whose sender is not proven without a mark. */
export const acceptUnproven = () => ({
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema
      .alterTable("masks")
      .addColumn("accept_unproven", "integer", (c) => c.notNull().defaultTo(0))
      .execute();
  },
});

/** Adds the keys that sign outgoing mail. */
export const dkimKeys = () => ({
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema
      .createTable("dkim_keys")
      .addColumn("selector", "text", (c) => c.primaryKey())
      .addColumn("algorithm", "text", (c) => c.notNull())
      .addColumn("state", "text", (c) => c.notNull())
      .addColumn("private_key", "text", (c) => c.notNull())
      .addColumn("public_key", "text", (c) => c.notNull())
      .addColumn("created_at", "bigint", (c) => c.notNull())
      .addColumn("active_from", "bigint")
      .addColumn("retired_at", "bigint")
      .execute();
  },
});
