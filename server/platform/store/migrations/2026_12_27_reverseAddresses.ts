import { type Kysely, sql } from "kysely";

/**
 * Adds whether only links lead to a correspondent, and whether the owner made the address, as they made all that no mail
 * has named. The index finds those that expire.
 */
export const reverseAddresses = () => ({
  up: async (db: Kysely<never>): Promise<void> => {
    for (const column of ["is_link", "is_opened"])
      await db.schema
        .alterTable("reverse_addresses")
        .addColumn(column, "integer", (c) => c.notNull().defaultTo(0))
        .execute();
    await sql`update reverse_addresses set is_opened = 1 where last_in_at is null`.execute(db);
    await sql`create index unanswered_reverse_addresses on reverse_addresses (last_in_at)
      where last_out_at is null`.execute(db);
  },
});
