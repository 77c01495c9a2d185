import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";

/** The part of the settings that a notification leads to. */
export const notificationPlace: Migration = {
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema.alterTable("notifications").addColumn("place", "text").execute();
  },
};
