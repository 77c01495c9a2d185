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
