import { dayMs, hourMs } from "../../../core/kernel/durations.ts";
import { autoReplyDays } from "../../../core/rules/model/action.ts";
import type { Db } from "../../platform/store/database.ts";

const sameSenderIntervalMs = autoReplyDays * dayMs;
export const maxAnswersPerHour = 20;

/** Claims the automatic answer to a sender in the sending transaction; false when none may be sent now. */
export const claimAutomaticAnswer = async (
  db: Db,
  answer: { readonly userId: string; readonly maskId: string; readonly senderHash: string },
  now: number,
): Promise<boolean> => {
  const { recent } = await db
    .selectFrom("automatic_answers")
    .where("user_id", "=", answer.userId)
    .where("answered_at", ">", now - hourMs)
    .select(({ fn }) => fn.countAll<number>().as("recent"))
    .executeTakeFirstOrThrow();
  if (Number(recent) >= maxAnswersPerHour) return false;
  const claimed = await db
    .insertInto("automatic_answers")
    .values({
      user_id: answer.userId,
      mask_id: answer.maskId,
      sender_hash: answer.senderHash,
      answered_at: now,
    })
    .onConflict((conflict) =>
      conflict
        .columns(["mask_id", "sender_hash"])
        .doUpdateSet({ answered_at: now })
        .where("automatic_answers.answered_at", "<=", now - sameSenderIntervalMs),
    )
    .returning("mask_id")
    .execute();
  return claimed.length === 1;
};

/** Deletes the rows of senders who may be answered again. */
export const pruneAutomaticAnswers = async (db: Db, now: number): Promise<void> => {
  await db
    .deleteFrom("automatic_answers")
    .where("answered_at", "<=", now - sameSenderIntervalMs)
    .execute();
};
