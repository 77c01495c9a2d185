import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";

/** Lets a process find the events of the users that are connected to it without reading those of others. */
export const eventsByUser: Migration = {
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema.createIndex("events_of_user").on("events").columns(["user_id", "id"]).execute();
  },
};
