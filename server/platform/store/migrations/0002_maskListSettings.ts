import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Accounts keep the order and layout of the list of masks; null while none are chosen. */
export const maskListSettings: Migration = {
  up: async (db: Kysely<never>): Promise<void> => {
    await sql`alter table users add column mask_list_settings text`.execute(db);
  },
};
