import { dayOf } from "../../../core/kernel/calendarDay.ts";
import { dayMs } from "../../../core/kernel/durations.ts";
import type { KeyedHash } from "../../platform/ops/keyedHash.ts";
import type { Db } from "../../platform/store/database.ts";
import { takeOnce } from "../../platform/store/usedMarks.ts";
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

/** A reply that could not be delivered. */
export interface FailedReplyTo {
  readonly userId: string;
  /** The correspondent that it was to, or whose report says that it failed. */
  readonly correspondent: string;
}

/**
 * Counts a reply that could not be delivered, in the transaction of its result. Failures of a day count by correspondents,
 * not by mails, so that nobody who has got many can pause an account. One that fails for more than a third of a day's
 * replies, and at least 10, is paused for a day and told until when.
 */
export const recordFailedReply = async (
  db: Db,
  hash: KeyedHash,
  { userId, correspondent }: FailedReplyTo,
  now: number,
): Promise<void> => {
  const day = dayOf(now);
  const mark = hash("failed-reply", userId, day, correspondent.toLowerCase());
  if (!(await takeOnce(db, { hash: mark, endsAt: now + dayMs }))) return;
  const { sent, failed } = await db
    .insertInto("daily_replies")
    .values({ user_id: userId, day, sent: 0, failed: 1 })
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
  const message = `Replies and mail from your masks are paused until ${shownTime(until)} UTC, because those to ${failed} correspondents could not be delivered today. Check the addresses of your correspondents.`;
  await addNotification(db, { userId, type: "warning", priority: "urgent", message }, now);
};
