import type { Kysely } from "kysely";

/** Sessions whose secret is replaced at each refresh. */
export const rotation = () => ({
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema.alterTable("sessions").addColumn("previous_hash", "text").execute();
    await db.schema.alterTable("sessions").addColumn("rotated_at", "bigint").execute();
    await db.schema
      .alterTable("sessions")
      .addColumn("secret_seen", "integer", (c) => c.notNull().defaultTo(1))
      .execute();
  },
});
