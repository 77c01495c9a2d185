import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import type { Engine } from "../engine.ts";
import { uniqueNumber } from "./initial/columnTypes.ts";

/** The site that a mask was made for, and numbers for programs that know things by an integer only. */
export const madeFor = (engine: Engine): Migration => ({
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema
      .alterTable("masks")
      .addColumn("made_for", "text", (c) => c.notNull().defaultTo(""))
      .execute();
    await sql`create table public_numbers (
      number ${uniqueNumber(engine)},
      user_id text not null references users (id) on delete cascade,
      kind text not null,
      entity_id text not null,
      constraint numbered_once unique (user_id, kind, entity_id)
    )`.execute(db);
  },
});
