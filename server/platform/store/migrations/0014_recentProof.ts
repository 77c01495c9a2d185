import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** When the user of a session has last confirmed that it is them; null before the first time after the sign-in. */
export const recentProof: Migration = {
  up: async (db: Kysely<never>): Promise<void> => {
    await sql`alter table sessions add column proven_at bigint`.execute(db);
  },
};
