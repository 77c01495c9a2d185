import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** The tasks that processes share. */
export const tasksAndPartitions: Migration = {
  up: async (db: Kysely<never>): Promise<void> => {
    await sql`create table tasks (
      name text primary key,
      holder text,
      held_until bigint not null default 0,
      finished_at bigint not null default 0
    )`.execute(db);
  },
};
