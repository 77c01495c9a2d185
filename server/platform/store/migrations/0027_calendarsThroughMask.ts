import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";

/** Whether answers to the calendars in an account's mail go through the mask. */
export const calendarsThroughMask: Migration = {
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema
      .alterTable("users")
      .addColumn("calendars_through_mask", "integer", (c) => c.notNull().defaultTo(1))
      .execute();
  },
};
