import { dayOf } from "../../../core/kernel/calendarDay.ts";
import { dayMs } from "../../../core/kernel/durations.ts";
import type { Db } from "../../platform/store/database.ts";
import { addNotification } from "../notifications/notificationQueries.ts";

/** Fewer failures in a day pause nothing. */
const minFailures = 10;

/** One failed reply of three is too many: addresses are then guessed, or the server that sends gets a bad name. */
const maxShare = 1 / 3;

const pauseMs = dayMs;

const shownTime = (time: number): string =>
  new Date(time).toLocaleString("en-US", {
    month: "short",
    day: "numeric",
    hour: "numeric",
    minute: "2-digit",
    timeZone: "UTC",
  });

/**
 * Counts a reply that could not be delivered, in the transaction of its result. An account with more than a third of
 * a day's replies failed, and at least 10, is paused for a day and told until when.
 */
export const recordFailedReply = async (db: Db, userId: string, now: number): Promise<void> => {
  const { sent, failed } = await db
    .insertInto("daily_replies")
    .values({ user_id: userId, day: dayOf(now), sent: 0, failed: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(["user_id", "day"])
        .doUpdateSet((e) => ({ failed: e("daily_replies.failed", "+", 1) })),
    )
    .returning(["sent", "failed"])
    .executeTakeFirstOrThrow();
  if (Number(failed) < minFailures || Number(failed) <= Number(sent) * maxShare) return;
  const until = now + pauseMs;
  const { numUpdatedRows } = await db
    .updateTable("users")
    .set({ replies_paused_until: until })
    .where("id", "=", userId)
    .where((e) => e.or([e("replies_paused_until", "is", null), e("replies_paused_until", "<=", now)]))
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return;
  const message = `Replies and mail from your masks are paused until ${shownTime(until)} UTC, because ${failed} of today's could not be delivered. Check the addresses of your correspondents.`;
  await addNotification(db, { userId, type: "warning", priority: "urgent", message }, now);
};
