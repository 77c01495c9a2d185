import type { Database, Db } from "../../platform/store/database.ts";
import { deleteBodies } from "./queueBodies.ts";

/** Returns whether a mail is in the queue or finished so recently that its row still exists. */
export const isKnownMail = async (db: Db, id: string): Promise<boolean> =>
  (await db.selectFrom("queue").select("id").where("id", "=", id).executeTakeFirst()) !== undefined;

/**
 * Marks a mail as failed after a bounce, even before its delivery is recorded. Returns its owner; undefined
 * when it is unknown, failed or held.
 */
export const markBounced = async (
  database: Pick<Database, "engine">,
  db: Db,
  id: string,
  report: { readonly answer: string; readonly now: number },
): Promise<{ readonly userId: string | null; readonly maskId: string | null } | undefined> => {
  const mail = await db
    .selectFrom("queue")
    .where("id", "=", id)
    .where("status", "in", ["waiting", "delivered"])
    .select(["user_id as userId", "mask_id as maskId", "body_id as bodyId"])
    .executeTakeFirst();
  if (!mail) return undefined;
  const { numUpdatedRows } = await db
    .updateTable("queue")
    .set({
      status: "failed",
      content: null,
      body_id: null,
      lease: null,
      last_answer: report.answer,
      finished_at: report.now,
    })
    .where("id", "=", id)
    .where("status", "in", ["waiting", "delivered"])
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return undefined;
  // A sweep removes the spool file within seconds; without its row nobody can read it.
  if (mail.bodyId) await deleteBodies(database, db, [mail.bodyId]);
  return mail;
};

/** Returns where a copy of a logged mail goes, and its entry in the log of its owner; undefined for others. */
export const findLoggedCopy = async (db: Db, id: string) => {
  const row = await db
    .selectFrom("queue")
    .where("id", "=", id)
    .select(["user_id as userId", "log_id as entryId", "recipient"])
    .executeTakeFirst();
  const { userId, entryId } = row ?? {};
  return row && userId && entryId ? { userId, entryId, recipient: row.recipient } : undefined;
};

/** Returns the address of the mask that a mail was forwarded for; undefined for other mail, and when the mask is deleted. */
export const findMaskAddress = async (db: Db, id: string): Promise<string | undefined> => {
  const row = await db
    .selectFrom("queue")
    .innerJoin("masks", (join) =>
      join.onRef("masks.id", "=", "queue.mask_id").onRef("masks.user_id", "=", "queue.user_id"),
    )
    .where("queue.id", "=", id)
    .where("masks.deleted_at", "is", null)
    .select("masks.email")
    .executeTakeFirst();
  return row?.email;
};
