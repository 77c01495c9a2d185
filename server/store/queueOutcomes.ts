import type { Db } from "./database.ts";

/** A mail held under a lease of ours. */
export interface Held {
  readonly id: string;
  readonly lease: string;
}

/** Ends a mail's stay in the queue, under our lease only. */
const finish =
  (status: "delivered" | "failed") =>
  async (db: Db, { id, lease }: Held, answer: string, now: number): Promise<boolean> => {
    const marked = await db
      .updateTable("queue")
      .set({ status, content: null, lease: null, leased_until: 0, last_answer: answer, finished_at: now })
      .where("id", "=", id)
      .where("lease", "=", lease)
      .where("status", "=", "waiting")
      .returning("id")
      .execute();
    return marked.length === 1;
  };

/** The mail has left. False when the lease was somebody else's meanwhile. */
export const markDelivered = finish("delivered");

/** The mail will not leave any more. False when the lease was somebody else's meanwhile. */
export const markFailed = finish("failed");

/** The mail is tried again at `at`. */
export const postpone = async (db: Db, { id, lease }: Held, answer: string, at: number): Promise<void> => {
  await db
    .updateTable("queue")
    .set({ lease: null, leased_until: 0, next_attempt_at: at, last_answer: answer })
    .where("id", "=", id)
    .where("lease", "=", lease)
    .where("status", "=", "waiting")
    .execute();
};

/** Forgets what was finished before then. */
export const pruneFinished = async (db: Db, before: number): Promise<void> => {
  await db.deleteFrom("queue").where("status", "!=", "waiting").where("finished_at", "<", before).execute();
};
