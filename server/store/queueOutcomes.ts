import type { Db } from "./database.ts";

/** A mail held under a lease of ours. */
export interface Held {
  readonly id: string;
  readonly lease: string;
}

const finished = (status: "delivered" | "failed", answer: string) => ({
  status,
  content: null,
  lease: null,
  leased_until: 0,
  last_answer: answer,
});

/** Ends a mail's stay in the queue, under our lease only. */
const finish =
  (status: "delivered" | "failed") =>
  async (db: Db, { id, lease }: Held, answer: string, now: number): Promise<boolean> => {
    const marked = await db
      .updateTable("queue")
      .set({ ...finished(status, answer), finished_at: now })
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

/** Whether a mail is in the queue, or has left it so lately that it is remembered. */
export const isRemembered = async (db: Db, id: string): Promise<boolean> =>
  (await db.selectFrom("queue").select("id").where("id", "=", id).executeTakeFirst()) !== undefined;

/**
 * A mail has failed further on, though it may not have been written down yet that it left. Whose it was; undefined
 * when it is known to have failed, or not known at all.
 */
export const markBounced = (
  db: Db,
  id: string,
  answer: string,
  now: number,
): Promise<{ readonly userId: string | null; readonly maskId: string | null } | undefined> =>
  db
    .updateTable("queue")
    .set({ ...finished("failed", answer), finished_at: now })
    .where("id", "=", id)
    .where("status", "!=", "failed")
    .returning(["user_id as userId", "mask_id as maskId"])
    .executeTakeFirst();
