import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import type { Engine } from "../engine.ts";

/** What processes have taken of limits; of no use after a crash, so PostgreSQL does not log it. SQLite leaves it empty. */
export const sharedRates = (engine: Engine): Migration => ({
  up: async (db: Kysely<never>): Promise<void> => {
    await sql`create ${sql.raw(engine.name === "postgresql" ? "unlogged table" : "table")} shared_rates (
      key text primary key,
      used double precision not null,
      burst double precision not null,
      per_second double precision not null,
      changed_at double precision not null,
      free_at double precision not null
    )`.execute(db);
    await sql`create index shared_rates_by_change on shared_rates (changed_at)`.execute(db);
  },
});
