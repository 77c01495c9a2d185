import { sql } from "kysely";
import { dayMs } from "../../../core/kernel/durations.ts";
import type { Database } from "../../platform/store/database.ts";
import { firstQueueIdAt } from "../../platform/store/id.ts";
import { dropPartitions, makePartitions, type PartitionedTable } from "../../platform/store/partitions.ts";

/** The queue on PostgreSQL: a part for the mails that are queued on a day (UTC), made three days ahead. */
export const queueDays: PartitionedTable = {
  name: "queue",
  key: "id",
  keyAt: firstQueueIdAt,
  spanMs: dayMs,
  aheadMs: 3 * dayMs,
};

/** Deletes the mails of a table that finished before a moment, and so were queued before it. */
const deleteFinished = async ({ db }: Pick<Database, "db">, table: string, before: number): Promise<void> => {
  await sql`delete from ${sql.table(table)}
    where id < ${firstQueueIdAt(before)} and status in ('delivered', 'failed') and finished_at < ${before}`.execute(
    db,
  );
};

/**
 * Deletes the mails that finished before a moment. On PostgreSQL they go with all mail of their day, up to a day later;
 * what waits then, is held, was not sent or finished later stays.
 */
export const pruneFinishedMails = async (
  database: Pick<Database, "db" | "engine" | "transaction">,
  before: number,
): Promise<void> => {
  if (database.engine.name === "sqlite") return deleteFinished(database, "queue", before);
  const isKept = sql<boolean>`status not in ('delivered', 'failed') or finished_at >= ${before}`;
  for (const table of await dropPartitions(database, queueDays, { before, isKept }))
    await deleteFinished(database, table, before);
};

/** Makes the parts of the queue on PostgreSQL for the next days. */
export const makeQueueDays = async (
  database: Pick<Database, "db" | "engine" | "transaction">,
  now: number,
): Promise<void> => {
  if (database.engine.name === "postgresql") await makePartitions(database, queueDays, now);
};
