import type { Db } from "./database.ts";

/** A mail that this process alone may send until its lease ends. */
export interface LeasedMail {
  readonly id: string;
  readonly userId: string | null;
  readonly maskId: string | null;
  readonly envelopeSender: string;
  readonly recipient: string;
  /** Bytes. */
  readonly size: number;
  /** How often it was tried, this time included. */
  readonly attempts: number;
  readonly createdAt: number;
}

/**
 * Leases up to `count` mails that are due and that nobody holds, the longest due first. Two processes that ask at the
 * same time never get the same mail; the lease of a process that died ends by itself.
 */
export const leaseDue = async (
  db: Db,
  want: { readonly count: number; readonly lease: string; readonly now: number; readonly until: number },
): Promise<readonly LeasedMail[]> => {
  const rows = await db
    .updateTable("queue")
    .set((eb) => ({ lease: want.lease, leased_until: want.until, attempts: eb("attempts", "+", 1) }))
    .where("id", "in", (eb) =>
      eb
        .selectFrom("queue")
        .where("status", "=", "waiting")
        .where("next_attempt_at", "<=", want.now)
        .where("leased_until", "<=", want.now)
        .orderBy("next_attempt_at")
        .limit(want.count)
        .select("id"),
    )
    .where("status", "=", "waiting")
    .where("leased_until", "<=", want.now)
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

/** Keeps the leases on these mails until then. */
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

/** Gives leases back unused: the mails are due again at once. */
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

/** The mail itself; null when it is no longer there. */
export const contentOf = async (db: Db, id: string): Promise<Uint8Array | null> => {
  const row = await db.selectFrom("queue").where("id", "=", id).select("content").executeTakeFirst();
  return row?.content ?? null;
};
