import { type Kysely, sql } from "kysely";
import type { Engine } from "../engine.ts";

/** Adds the keys that sign outgoing mail. */
export const dkimKeys = () => ({
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema
      .createTable("dkim_keys")
      .addColumn("selector", "text", (c) => c.primaryKey())
      .addColumn("algorithm", "text", (c) => c.notNull())
      .addColumn("state", "text", (c) => c.notNull())
      .addColumn("private_key", "text", (c) => c.notNull())
      .addColumn("public_key", "text", (c) => c.notNull())
      .addColumn("created_at", "bigint", (c) => c.notNull())
      .addColumn("active_from", "bigint")
      .addColumn("retired_at", "bigint")
      .execute();
  },
});

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

/** Adds the place of content that is in a segment, shared with other mails. */
export const segments = () => ({
  up: async (db: Kysely<never>): Promise<void> => {
    for (const column of ["segment_start", "segment_length"] as const)
      await db.schema.alterTable("bodies").addColumn(column, "bigint").execute();
    await db.schema.alterTable("bodies").addColumn("segment", "text").execute();
    await sql`create index bodies_of_segment on bodies (segment) where segment is not null`.execute(db);
  },
});

/** Adds when the owner of a mail was told of its delay. */
export const delayNotices = () => ({
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema.alterTable("queue").addColumn("delay_noticed_at", "bigint").execute();
  },
});

/** Adds the policies of domains for the TLS of their mail servers. */
export const tlsPolicies = () => ({
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema
      .createTable("tls_policies")
      .addColumn("domain", "text", (c) => c.primaryKey())
      .addColumn("policy_id", "text", (c) => c.notNull())
      .addColumn("mode", "text", (c) => c.notNull())
      .addColumn("servers", "text", (c) => c.notNull())
      .addColumn("fetched_at", "bigint", (c) => c.notNull())
      .addColumn("expires_at", "bigint", (c) => c.notNull())
      .execute();
    await db.schema.createIndex("tls_policies_by_end").on("tls_policies").column("expires_at").execute();
  },
});

/** Stores what processes have seen of each other, and the time in which they have. */
export const leaseClock = () => ({
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema
      .createTable("lease_clock")
      .addColumn("id", "integer", (c) => c.primaryKey())
      .addColumn("elapsed", "bigint", (c) => c.notNull())
      .addColumn("read_at", "bigint", (c) => c.notNull())
      .execute();
    await db.schema
      .alterTable("lease_holders")
      .addColumn("seen_beat", "bigint", (c) => c.notNull().defaultTo(-1))
      .execute();
    await db.schema
      .alterTable("lease_holders")
      .addColumn("seen_at", "bigint", (c) => c.notNull().defaultTo(0))
      .execute();
  },
});
