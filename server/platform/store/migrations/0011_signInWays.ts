import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** How sessions began, which operators see as figures. */
export const signInWays: Migration = {
  up: async (db: Kysely<never>): Promise<void> => {
    await sql`alter table sessions add column way text not null default 'code'`.execute(db);
    await sql`alter table second_factor_tickets add column way text not null default 'code'`.execute(db);
  },
};
