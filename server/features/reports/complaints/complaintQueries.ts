import { dayMs } from "../../../../core/kernel/durations.ts";
import { isReceivedMail } from "../../../delivery/serviceAddresses.ts";
import type { Db } from "../../../platform/store/database.ts";
import { firstQueueIdAt } from "../../../platform/store/id.ts";

export const keptMs = 60 * dayMs;

/** A mail to a user that somebody complains about. */
export interface ComplainedMail {
  readonly id: string;
  readonly userId: string;
  readonly maskId: string;
}

/** Returns the forwarded mail of an id; undefined for others, and a week after it was delivered. */
export const findForwardedMail = async (db: Db, id: string): Promise<ComplainedMail | undefined> => {
  const row = await db
    .selectFrom("queue")
    .where("id", "=", id)
    .select(["user_id as userId", "mask_id as maskId", "envelope_sender as envelopeSender"])
    .executeTakeFirst();
  if (!row || row.userId === null || row.maskId === null || !isReceivedMail(row)) return undefined;
  return { id, userId: row.userId, maskId: row.maskId };
};

/** Records a complaint; false when there was one about the same mail. */
export const addComplaint = async (
  db: Db,
  { id, userId, maskId }: ComplainedMail,
  type: string,
  now: number,
): Promise<boolean> => {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("complaints")
    .values({ queue_id: id, user_id: userId, mask_id: maskId, type, created_at: now })
    .onConflict((on) => on.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
};

/** Counts the complaints about a mask since a moment. */
export const countComplaints = async (db: Db, maskId: string, since: number): Promise<number> => {
  const { count } = await db
    .selectFrom("complaints")
    .where("mask_id", "=", maskId)
    .where("created_at", ">", since)
    .select(({ fn }) => fn.countAll().as("count"))
    .executeTakeFirstOrThrow();
  return Number(count);
};

/** Counts the mails of a mask that were queued since a moment. */
export const countForwarded = async (db: Db, maskId: string, since: number): Promise<number> => {
  const { count } = await db
    .selectFrom("queue")
    .where("id", ">=", firstQueueIdAt(since))
    .where("mask_id", "=", maskId)
    .where("envelope_sender", "like", "bounces@%")
    .select(({ fn }) => fn.countAll().as("count"))
    .executeTakeFirstOrThrow();
  return Number(count);
};

/** Deletes complaints of more than 60 days ago. */
export const pruneComplaints = async (db: Db, now: number): Promise<void> => {
  await db
    .deleteFrom("complaints")
    .where("created_at", "<", now - keptMs)
    .execute();
};
