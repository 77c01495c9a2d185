import { sql } from "kysely";
import { dayOf } from "../../../core/kernel/calendarDay.ts";
import type { Db } from "../../platform/store/database.ts";

/** Takes replies from the daily limit; false, without taking any, when fewer are left. */
export const takeDailyReplies = async (
  db: Db,
  taken: { readonly userId: string; readonly count: number; readonly limit: number },
  now: number,
): Promise<boolean> => {
  if (taken.count > taken.limit) return false;
  const { rows } = await sql<{ sent: number }>`
    insert into daily_replies (user_id, day, sent)
    values (${taken.userId}, ${dayOf(now)}, ${taken.count})
    on conflict (user_id, day) do update set sent = daily_replies.sent + excluded.sent
    where daily_replies.sent + excluded.sent <= cast(${taken.limit} as bigint)
    returning sent
  `.execute(db);
  return rows.length === 1;
};

/** Returns how many replies the user has sent on the day of a moment, by recipient. */
export const readRepliesOfDay = async (db: Db, userId: string, now: number): Promise<number> => {
  const row = await db
    .selectFrom("daily_replies")
    .select("sent")
    .where("user_id", "=", userId)
    .where("day", "=", dayOf(now))
    .executeTakeFirst();
  return Number(row?.sent ?? 0);
};

/** Counts replies at the mask, shown as "Replied" on its card. */
export const countReplies = async (
  db: Db,
  { maskId, userId, count }: { readonly maskId: string; readonly userId: string; readonly count: number },
): Promise<void> => {
  await db
    .insertInto("mask_statistics")
    .values({
      mask_id: maskId,
      user_id: userId,
      total_received: 0,
      total_forwarded: 0,
      spam_blocked: 0,
      total_sent: count,
      last_used_at: null,
    })
    .onConflict((conflict) =>
      conflict.column("mask_id").doUpdateSet((e) => ({
        total_sent: e("mask_statistics.total_sent", "+", count),
      })),
    )
    .execute();
};

/** Deletes the counts of earlier days. */
export const pruneDailyReplies = async (db: Db, now: number): Promise<void> => {
  await db.deleteFrom("daily_replies").where("day", "<", dayOf(now)).execute();
};
