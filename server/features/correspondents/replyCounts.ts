import { dayOf } from "../../../core/kernel/calendarDay.ts";
import type { Database, Db } from "../../platform/store/database.ts";
import type { RowStatement } from "../../platform/store/engine.ts";

/** Replies to be taken from the daily limit of a user. */
interface DailyTaking {
  readonly userId: string;
  readonly count: number;
  readonly limit: number;
}

const addDays: RowStatement = {
  columns: { user_id: "text", day: "text" },
  text: (rows) =>
    `insert into daily_replies (user_id, day, sent) select given.user_id, given.day, 0 from ${rows} where true
     on conflict (user_id, day) do nothing`,
};

const takeReplies: RowStatement = {
  columns: { user_id: "text", day: "text", taken: "bigint", most: "bigint" },
  text: (rows) =>
    `update daily_replies set sent = daily_replies.sent + given.taken from ${rows}
     where daily_replies.user_id = given.user_id and daily_replies.day = given.day
       and daily_replies.sent + given.taken <= given.most
     returning daily_replies.user_id as "userId"`,
};

/** Adds up the takings of each user. Sorted, so that two processes lock rows in the same order. */
const takenByUser = (takings: readonly DailyTaking[]): readonly DailyTaking[] =>
  [...Map.groupBy(takings, ({ userId }) => userId)]
    .map(([userId, own]) => ({
      userId,
      count: own.reduce((sum, { count }) => sum + count, 0),
      limit: Math.min(...own.map(({ limit }) => limit)),
    }))
    .toSorted((one, other) => (one.userId < other.userId ? -1 : 1));

/**
 * Takes replies from the daily limits of their users, each completely or not at all; exact also under parallel
 * transactions. Returns for each whether it was taken: of those of one user that are too many together, the first are.
 */
export const takeDailyReplies = async (
  { engine }: Pick<Database, "engine">,
  db: Db,
  takings: readonly DailyTaking[],
  now: number,
): Promise<readonly boolean[]> => {
  const day = dayOf(now);
  const take = (some: readonly DailyTaking[]): Promise<readonly { readonly userId: string }[]> =>
    engine.runRows(
      db,
      takeReplies,
      some.map(({ userId, count, limit }) => [userId, day, count, limit]),
    );
  const byUser = takenByUser(takings);
  await engine.runRows(
    db,
    addDays,
    byUser.map(({ userId }) => [userId, day]),
  );
  const complete = new Set((await take(byUser)).map(({ userId }) => userId));
  const results: boolean[] = [];
  for (const taking of takings)
    results.push(complete.has(taking.userId) || (await take([taking])).length > 0);
  return results;
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

const addReplies: RowStatement = {
  columns: { mask_id: "text", user_id: "text", sent: "bigint" },
  text: (rows) =>
    `insert into mask_statistics (
       mask_id, user_id, total_received, total_forwarded, spam_blocked, total_sent, last_used_at
     )
     select given.mask_id, given.user_id, 0, 0, 0, given.sent, null from ${rows} where true
     on conflict (mask_id) do update set total_sent = mask_statistics.total_sent + excluded.total_sent`,
};

/** Counts replies at their masks, shown as "Replied" on the card. */
export const countReplies = async (
  { engine }: Pick<Database, "engine">,
  db: Db,
  replies: readonly { readonly maskId: string; readonly userId: string; readonly count: number }[],
): Promise<void> => {
  const rows = [...Map.groupBy(replies, ({ maskId }) => maskId)]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([maskId, own]) => [maskId, own[0]?.userId ?? "", own.reduce((sum, { count }) => sum + count, 0)]);
  await engine.runRows(db, addReplies, rows);
};

/** Deletes the counts of earlier days. */
export const pruneDailyReplies = async (db: Db, now: number): Promise<void> => {
  await db.deleteFrom("daily_replies").where("day", "<", dayOf(now)).execute();
};
