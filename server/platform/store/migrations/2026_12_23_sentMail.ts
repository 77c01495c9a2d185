import type { Kysely } from "kysely";

/** Adds to the log whether a mail was received or sent. */
export const sentMail = () => ({
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema
      .alterTable("log_entries")
      .addColumn("direction", "text", (c) => c.notNull().defaultTo("received"))
      .execute();
  },
});
