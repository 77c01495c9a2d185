import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** What "Unsubscribe" does, for an account and for a mask that differs from it, and the links that were used. */
export const unsubscribe: Migration = {
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema
      .alterTable("users")
      .addColumn("unsubscribe", "text", (c) => c.notNull().defaultTo("as-is"))
      .execute();
    await db.schema
      .alterTable("masks")
      .addColumn("unsubscribe", "text", (c) => c.notNull().defaultTo("account"))
      .execute();
    await sql`create table unsubscribings (
      link_hash text primary key,
      user_id text not null references users (id) on delete cascade,
      state text not null,
      at bigint not null
    )`.execute(db);
    await sql`create index unsubscribings_of_user on unsubscribings (user_id, at)`.execute(db);
    await sql`create index unsubscribings_by_time on unsubscribings (at)`.execute(db);
  },
};
