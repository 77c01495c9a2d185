import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Challenges of passkeys are kept when they are used, in place of when they are asked for. */
export const usedChallenges: Migration = {
  up: async (db: Kysely<never>): Promise<void> => {
    await sql`create table used_challenges (
      hash text primary key,
      expires_at bigint not null
    )`.execute(db);
    await sql`create index used_challenges_by_end on used_challenges (expires_at)`.execute(db);
    await sql`drop table passkey_challenges`.execute(db);
  },
};
