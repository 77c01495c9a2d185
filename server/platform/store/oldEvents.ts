import { sql } from "kysely";
import { hourMs } from "../../../core/kernel/durations.ts";
import type { Database } from "./database.ts";
import { dropPartitions, makePartitions, type PartitionedTable } from "./partitions.ts";

export const retentionMs = hourMs;

/** The events on PostgreSQL: a part for those of two hours, made six hours ahead. */
export const eventHours: PartitionedTable = {
  name: "events",
  key: "created_at",
  keyAt: (time) => time,
  spanMs: 2 * hourMs,
  aheadMs: 6 * hourMs,
};

const newestBefore = (before: number) =>
  sql<number>`(select max(id) from events where created_at < ${before})`;

const deleteOld = async ({ db }: Pick<Database, "db">, table: string, before: number): Promise<void> => {
  await sql`delete from ${sql.table(table)} where created_at < ${before}
    and id < ${newestBefore(before)}`.execute(db);
};

/**
 * Deletes events that are older than an hour but the last of them: SQLite never assigns its id again, and as long as a
 * row is there, everything after it is there too. On PostgreSQL those of two hours go together.
 */
export const pruneEvents = async (
  database: Pick<Database, "db" | "engine" | "transaction">,
  now: number,
): Promise<void> => {
  const before = now - retentionMs;
  if (database.engine.name === "sqlite") return deleteOld(database, "events", before);
  await makePartitions(database, eventHours, now);
  const isKept = sql<boolean>`id = ${newestBefore(before)}`;
  for (const table of await dropPartitions(database, eventHours, { before, isKept }))
    await deleteOld(database, table, before);
};
