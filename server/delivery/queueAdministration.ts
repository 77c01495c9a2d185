import type { Db } from "../store/database.ts";

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

/** Makes waiting mails due now: one, or all without an id. Returns how many. */
export const retryMails = async (db: Db, id: string | null, now: number): Promise<number> => {
  const waiting = db.updateTable("queue").set({ next_attempt_at: now }).where("status", "=", "waiting");
  const { numUpdatedRows } = await (id === null ? waiting : waiting.where("id", "=", id)).executeTakeFirst();
  return Number(numUpdatedRows);
};

/** Deletes a waiting mail without sending it; false when there is none. */
export const deleteWaitingMail = async (db: Db, id: string): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom("queue")
    .where("id", "=", id)
    .where("status", "=", "waiting")
    .executeTakeFirst();
  return numDeletedRows === 1n;
};
