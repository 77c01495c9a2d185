import type { Random } from "../../core/ports/random.ts";
import type { Db } from "../store/database.ts";
import { newId } from "../store/id.ts";

/** A mail to be sent: complete as it will be sent, every line terminated by CRLF (RFC 5322, 2.3). */
export interface NewQueuedMail {
  /** null for system mail such as codes and confirmations. */
  readonly userId: string | null;
  readonly maskId: string | null;
  /** Empty for the null sender (RFC 5321, 4.5.5). */
  readonly envelopeSender: string;
  readonly recipient: string;
  readonly content: Uint8Array;
}

/**
 * Puts a mail into the queue, due immediately, and returns its id. Inside a transaction it is queued if and only if
 * the transaction commits; the caller wakes the delivery after the commit.
 */
export const enqueue = async (
  db: Db,
  mail: NewQueuedMail,
  at: { readonly now: number; readonly random: Random },
): Promise<string> => {
  const id = newId(at.random);
  await db
    .insertInto("queue")
    .values({
      id,
      user_id: mail.userId,
      mask_id: mail.maskId,
      envelope_sender: mail.envelopeSender,
      recipient: mail.recipient,
      content: mail.content,
      size: mail.content.length,
      status: "waiting",
      attempts: 0,
      next_attempt_at: at.now,
      lease: null,
      leased_until: 0,
      last_answer: null,
      created_at: at.now,
      finished_at: null,
    })
    .execute();
  return id;
};

/** A queued mail that only this process may send until its lease ends. */
export interface QueuedMail {
  readonly id: string;
  readonly userId: string | null;
  readonly maskId: string | null;
  readonly envelopeSender: string;
  readonly recipient: string;
  /** Bytes. */
  readonly size: number;
  /** How many attempts were made, including the present one. */
  readonly attempts: number;
  readonly createdAt: number;
}

/**
 * Leases up to `count` mails that are due and not leased, the longest due first. Parallel processes never lease the
 * same mail; the lease of a process that died expires.
 */
export const leaseDueMails = async (
  db: Db,
  request: { readonly count: number; readonly lease: string; readonly now: number; readonly until: number },
): Promise<readonly QueuedMail[]> => {
  const rows = await db
    .updateTable("queue")
    .set((eb) => ({ lease: request.lease, leased_until: request.until, attempts: eb("attempts", "+", 1) }))
    .where("id", "in", (eb) =>
      eb
        .selectFrom("queue")
        .where("status", "=", "waiting")
        .where("next_attempt_at", "<=", request.now)
        .where("leased_until", "<=", request.now)
        .orderBy("next_attempt_at")
        .limit(request.count)
        .select("id"),
    )
    .where("status", "=", "waiting")
    .where("leased_until", "<=", request.now)
    .returning([
      "id",
      "user_id as userId",
      "mask_id as maskId",
      "envelope_sender as envelopeSender",
      "recipient",
      "size",
      "attempts",
      "created_at as createdAt",
    ])
    .execute();
  return rows.toSorted((a, b) => a.createdAt - b.createdAt);
};

/** Extends the leases on these mails. */
export const renewLeases = async (
  db: Db,
  lease: string,
  ids: readonly string[],
  until: number,
): Promise<void> => {
  if (ids.length === 0) return;
  await db
    .updateTable("queue")
    .set({ leased_until: until })
    .where("id", "in", [...ids])
    .where("lease", "=", lease)
    .where("status", "=", "waiting")
    .execute();
};

/** Returns unused leases: the mails are due again immediately. */
export const releaseLeases = async (db: Db, lease: string, ids: readonly string[]): Promise<void> => {
  if (ids.length === 0) return;
  await db
    .updateTable("queue")
    .set((eb) => ({ lease: null, leased_until: 0, attempts: eb("attempts", "-", 1) }))
    .where("id", "in", [...ids])
    .where("lease", "=", lease)
    .where("status", "=", "waiting")
    .execute();
};

/** Makes all waiting mails due that a process had leased, after a restore. */
export const releaseAllLeases = async (db: Db): Promise<void> => {
  await db
    .updateTable("queue")
    .set({ lease: null, leased_until: 0 })
    .where("status", "=", "waiting")
    .execute();
};

/** Returns the content of a queued mail; null when it no longer exists. */
export const readQueuedContent = async (db: Db, id: string): Promise<Uint8Array | null> => {
  const row = await db.selectFrom("queue").where("id", "=", id).select("content").executeTakeFirst();
  return row?.content ?? null;
};

/** A queued mail and the lease this process holds on it. */
export interface Lease {
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

/** Marks a mail as finished if this process still holds the lease. */
const finish =
  (status: "delivered" | "failed") =>
  async (db: Db, { id, lease }: Lease, answer: string, now: number): Promise<boolean> => {
    const updated = await db
      .updateTable("queue")
      .set({ ...finished(status, answer), finished_at: now })
      .where("id", "=", id)
      .where("lease", "=", lease)
      .where("status", "=", "waiting")
      .returning("id")
      .execute();
    return updated.length === 1;
  };

/** Marks a mail as delivered. False when another process holds the lease by now. */
export const markDelivered = finish("delivered");

/** Marks a mail as failed. False when another process holds the lease by now. */
export const markFailed = finish("failed");

/** Schedules the next attempt. */
export const postponeMail = async (
  db: Db,
  { id, lease }: Lease,
  answer: string,
  at: number,
): Promise<void> => {
  await db
    .updateTable("queue")
    .set({ lease: null, leased_until: 0, next_attempt_at: at, last_answer: answer })
    .where("id", "=", id)
    .where("lease", "=", lease)
    .where("status", "=", "waiting")
    .execute();
};

/** Deletes the mails that finished before a moment. */
export const pruneFinishedMails = async (db: Db, before: number): Promise<void> => {
  await db.deleteFrom("queue").where("status", "!=", "waiting").where("finished_at", "<", before).execute();
};

/** Returns whether a mail is in the queue or finished so recently that its row still exists. */
export const isKnownMail = async (db: Db, id: string): Promise<boolean> =>
  (await db.selectFrom("queue").select("id").where("id", "=", id).executeTakeFirst()) !== undefined;

/**
 * Marks a mail as failed after a bounce, even if its delivery has not been recorded yet. Returns its owner;
 * undefined when it is unknown or already failed.
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
