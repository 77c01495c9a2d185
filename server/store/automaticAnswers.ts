import { dayMs, hourMs } from "../../core/kernel/durations.ts";
import type { Db } from "./database.ts";

/** A sender is answered once in this time (RFC 3834, 2). */
const againAfterMs = 7 * dayMs;
const mostAnHour = 20;

/** Whether this sender may be answered now: claims the answer in the transaction that sends it. */
export const claimAnswer = async (
  db: Db,
  of: { readonly userId: string; readonly maskId: string; readonly senderHash: string },
  now: number,
): Promise<boolean> => {
  const { recent } = await db
    .selectFrom("automatic_answers")
    .where("user_id", "=", of.userId)
    .where("answered_at", ">", now - hourMs)
    .select(({ fn }) => fn.countAll<number>().as("recent"))
    .executeTakeFirstOrThrow();
  if (Number(recent) >= mostAnHour) return false;
  const claimed = await db
    .insertInto("automatic_answers")
    .values({ user_id: of.userId, mask_id: of.maskId, sender_hash: of.senderHash, answered_at: now })
    .onConflict((conflict) =>
      conflict
        .columns(["mask_id", "sender_hash"])
        .doUpdateSet({ answered_at: now })
        .where("automatic_answers.answered_at", "<=", now - againAfterMs),
    )
    .returning("mask_id")
    .execute();
  return claimed.length === 1;
};

/** Forgets whom may be answered again. */
export const pruneAutomaticAnswers = async (db: Db, now: number): Promise<void> => {
  await db
    .deleteFrom("automatic_answers")
    .where("answered_at", "<=", now - againAfterMs)
    .execute();
};
