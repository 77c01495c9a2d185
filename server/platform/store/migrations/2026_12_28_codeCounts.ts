import type { Kysely } from "kysely";

/** Counts wrong codes and code mails by account, browser and network, for all processes and across restarts. */
export const codeCounts = () => ({
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema
      .createTable("code_counts")
      .addColumn("key", "text", (column) => column.primaryKey())
      .addColumn("kind", "text", (column) => column.notNull())
      .addColumn("count", "integer", (column) => column.notNull())
      .addColumn("since", "bigint", (column) => column.notNull())
      .addColumn("next_at", "bigint", (column) => column.notNull())
      .execute();
  },
});
