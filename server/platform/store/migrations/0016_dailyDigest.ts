import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Whether a collected mail waits for the digest of its day, not of its hour. */
export const dailyDigest: Migration = {
  up: async (db: Kysely<never>): Promise<void> => {
    await sql`alter table digest_mails add column daily integer not null default 0`.execute(db);
  },
};
