import type { Db } from "../store/database.ts";
import type { Tables } from "../store/tables.ts";

type QueueStatus = Tables["queue"]["status"];

/** Totals over all users, for the operator's metrics. */
export interface ProductCounts {
  readonly users: number;
  readonly masks: number;
  /** Finished mails stay in the queue table for 7 days. */
  readonly mails: Readonly<Record<QueueStatus, number>>;
  /** When the longest waiting mail was queued; null when none waits. */
  readonly waitingSince: number | null;
}

const countUsers = async (db: Db): Promise<number> => {
  const { count } = await db
    .selectFrom("users")
    .select(({ fn }) => fn.countAll().as("count"))
    .executeTakeFirstOrThrow();
  return Number(count);
};

const countMasks = async (db: Db): Promise<number> => {
  const { count } = await db
    .selectFrom("masks")
    .select(({ fn }) => fn.countAll().as("count"))
    .where("deleted_at", "is", null)
    .executeTakeFirstOrThrow();
  return Number(count);
};

export const readProductCounts = async (db: Db): Promise<ProductCounts> => {
  const rows = await db
    .selectFrom("queue")
    .select(({ fn }) => ["status", fn.countAll().as("count"), fn.min("created_at").as("since")])
    .groupBy("status")
    .execute();
  const of = (status: QueueStatus) => rows.find((row) => row.status === status);
  const count = (status: QueueStatus): number => Number(of(status)?.count ?? 0);
  return {
    users: await countUsers(db),
    masks: await countMasks(db),
    mails: {
      waiting: count("waiting"),
      delivered: count("delivered"),
      failed: count("failed"),
      held: count("held"),
    },
    waitingSince: of("waiting")?.since ?? null,
  };
};
