import { sql } from "kysely";
import type { Database, Db } from "../../platform/store/database.ts";
import { removeKept } from "./keptBytes.ts";
import { deleteBodies } from "./queueBodies.ts";

/** A waiting mail, as an operator sees it. */
export interface WaitingMail {
  readonly id: string;
  readonly recipient: string;
  /** Bytes. */
  readonly size: number;
  readonly attempts: number;
  readonly createdAt: number;
  readonly nextAttemptAt: number;
  /** The answer to the last attempt; null before the first. */
  readonly lastAnswer: string | null;
}

/** Returns the waiting mails, the oldest first. */
export const listWaitingMails = (db: Db, limit: number): Promise<readonly WaitingMail[]> =>
  db
    .selectFrom("queue")
    .where("status", "=", "waiting")
    .orderBy("created_at")
    .limit(limit)
    .select([
      "id",
      "recipient",
      "size",
      "attempts",
      "created_at as createdAt",
      "next_attempt_at as nextAttemptAt",
      "last_answer as lastAnswer",
    ])
    .execute();

/** The waiting mail of a recipient domain, and its mail that was given up and is still listed. */
export interface DomainQueue {
  readonly domain: string;
  /** Waiting mails: on their way, due, and to be tried again later. */
  readonly sending: number;
  readonly due: number;
  readonly deferred: number;
  /** Mails that are kept for their owners, and mails that are lost. */
  readonly held: number;
  readonly failed: number;
  /** The time at which the oldest waiting mail was queued; null when none waits. */
  readonly oldest: number | null;
  /** An answer to its waiting mails; null without one. */
  readonly answer: string | null;
}

const count = (condition: ReturnType<typeof sql<boolean>>) =>
  sql<number>`cast(sum(case when ${condition} then 1 else 0 end) as bigint)`;

/** Returns the queue by recipient domain, those whose mail waits longest first. */
export const listDomainQueues = async (
  { db, engine }: Pick<Database, "db" | "engine">,
  options: { readonly now: number; readonly limit: number; readonly waitingOnly?: boolean },
): Promise<readonly DomainQueue[]> => {
  const domain =
    engine.name === "sqlite"
      ? sql<string>`lower(substr(recipient, instr(recipient, '@') + 1))`
      : sql<string>`lower(split_part(recipient, '@', 2))`;
  const waiting = sql<boolean>`status = 'waiting'`;
  const oldest = sql<number | null>`min(case when ${waiting} then created_at end)`;
  const isLater = sql<boolean>`next_attempt_at > ${options.now}`;
  const rows = await db
    .selectFrom("queue")
    // NOTE: no parameters for the states: both databases use a partial index only for a condition that is written out.
    .where(options.waitingOnly ? waiting : sql<boolean>`status not in ('delivered', 'unsent')`)
    .groupBy(domain)
    .orderBy(sql`${oldest} is null`)
    .orderBy(oldest)
    .limit(options.limit)
    .select([
      domain.as("domain"),
      count(sql<boolean>`${waiting} and lease is not null`).as("sending"),
      count(sql<boolean>`${waiting} and lease is null and not ${isLater}`).as("due"),
      count(sql<boolean>`${waiting} and lease is null and ${isLater}`).as("deferred"),
      count(sql<boolean>`status = 'held'`).as("held"),
      count(sql<boolean>`status = 'failed'`).as("failed"),
      oldest.as("oldest"),
      sql<string | null>`max(case when ${waiting} then last_answer end)`.as("answer"),
    ])
    .execute();
  return rows.map((row) => ({
    ...row,
    sending: Number(row.sending),
    due: Number(row.due),
    deferred: Number(row.deferred),
    held: Number(row.held),
    failed: Number(row.failed),
    oldest: row.oldest === null ? null : Number(row.oldest),
  }));
};

/** Makes waiting mails due now: one, or all without an id. Returns how many. */
export const retryMails = async (db: Db, id: string | null, now: number): Promise<number> => {
  const waiting = db.updateTable("queue").set({ next_attempt_at: now }).where("status", "=", "waiting");
  const { numUpdatedRows } = await (id === null ? waiting : waiting.where("id", "=", id)).executeTakeFirst();
  return Number(numUpdatedRows);
};

/** True if a mail of this id waits. */
export const isWaiting = async (db: Db, id: string): Promise<boolean> =>
  (await db
    .selectFrom("queue")
    .select("id")
    .where("id", "=", id)
    .where("status", "=", "waiting")
    .executeTakeFirst()) !== undefined;

/** A mail whose row was deleted. */
interface DeletedRow {
  readonly bodyId: string | null;
  readonly userId: string | null;
  readonly network: string | null;
  readonly counted: number;
  readonly size: number;
}

const deletedColumns = ["body_id as bodyId", "user_id as userId", "network", "counted", "size"] as const;

/** Deletes the content of mails whose rows were deleted, and counts them no more. */
const forgetDeleted = async (
  database: Pick<Database, "engine">,
  db: Db,
  mails: readonly DeletedRow[],
): Promise<void> => {
  for (const { bodyId, userId, network, counted, size } of mails) {
    if (userId !== null && counted === 1) await removeKept(db, [{ userId, network, bytes: size }]);
    if (bodyId !== null) await deleteBodies(database, db, [bodyId]);
  }
};

/** Deletes a waiting mail with its content, without sending it; false when there is none. */
export const deleteWaitingMail = (
  database: Pick<Database, "engine" | "transaction">,
  id: string,
): Promise<boolean> =>
  database.transaction(async (db) => {
    const mail = await db
      .deleteFrom("queue")
      .where("id", "=", id)
      .where("status", "=", "waiting")
      .returning(deletedColumns)
      .executeTakeFirst();
    if (mail) await forgetDeleted(database, db, [mail]);
    return mail !== undefined;
  });

/** Deletes all mail of a user's mask that waits or is held, with its content, without sending it. */
export const deleteMailOfMask = async (
  database: Pick<Database, "engine">,
  db: Db,
  { userId, maskId }: { readonly userId: string; readonly maskId: string },
): Promise<void> => {
  const mails = await db
    .deleteFrom("queue")
    .where("user_id", "=", userId)
    .where("mask_id", "=", maskId)
    .where("status", "in", ["waiting", "held"])
    .returning(deletedColumns)
    .execute();
  await forgetDeleted(database, db, mails);
};
