import type { Kysely } from "kysely";

/** Stores what processes have seen of each other, and the time in which they have. */
export const leaseClock = () => ({
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema
      .createTable("lease_clock")
      .addColumn("id", "integer", (c) => c.primaryKey())
      .addColumn("elapsed", "bigint", (c) => c.notNull())
      .addColumn("read_at", "bigint", (c) => c.notNull())
      .execute();
    await db.schema
      .alterTable("lease_holders")
      .addColumn("seen_beat", "bigint", (c) => c.notNull().defaultTo(-1))
      .execute();
    await db.schema
      .alterTable("lease_holders")
      .addColumn("seen_at", "bigint", (c) => c.notNull().defaultTo(0))
      .execute();
  },
});
