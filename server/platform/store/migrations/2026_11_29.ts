import { type Kysely, sql } from "kysely";
import type { Engine } from "../engine.ts";

/**
 * Stores the content of a queued mail once, separate from rows that change, and lists the delivering processes,
 * so that leases end with them and not by the clock.
 */
export const bodies = (engine: Engine) => ({
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema
      .createTable("bodies")
      .addColumn("id", "text", (c) => c.notNull())
      .addColumn("part", "integer", (c) => c.notNull())
      .addColumn("content", engine.binaryType)
      .addColumn("file_key", "text")
      .addColumn("skip", "integer", (c) => c.notNull().defaultTo(0))
      .addPrimaryKeyConstraint("part_of_body", ["id", "part"])
      .$call((table) => (engine.name === "sqlite" ? table.modifyEnd(sql`without rowid`) : table))
      .execute();
    await db.schema.alterTable("queue").addColumn("body_id", "text").execute();
    await db.schema
      .alterTable("queue")
      .addColumn("body_head", "integer", (c) => c.notNull().defaultTo(0))
      .execute();
    await sql`create index queue_of_body on queue (body_id) where body_id is not null`.execute(db);
    await db.schema
      .createTable("lease_holders")
      .addColumn("id", "text", (c) => c.primaryKey())
      .addColumn("beat", "bigint", (c) => c.notNull())
      .execute();
  },
});
