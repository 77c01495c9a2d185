import { sql } from "kysely";
import type { Db } from "./database.ts";

/** The calendar month in UTC that mail of that moment counts for: "2026-11". */
export const monthOf = (now: number): string => new Date(now).toISOString().slice(0, 7);

/** The first moment of the month after that one. */
export const endOfMonth = (now: number): number => {
  const date = new Date(now);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
};

/** How many mails a user has received in a month. */
export const receivedIn = async (db: Db, userId: string, month: string): Promise<number> => {
  const row = await db
    .selectFrom("monthly_usage")
    .where("user_id", "=", userId)
    .where("month", "=", month)
    .select("received")
    .executeTakeFirst();
  return row?.received ?? 0;
};

/** What a user has used of a month after some of it was taken. */
export interface MonthlyUsage {
  readonly received: number;
  /** The share of the limit that was announced already, in percent. */
  readonly announced: number;
}

/**
 * Takes `count` mails of a month's `limit` for a user, all or none: null means that so many were not left.
 * Exact whoever else takes at the same time (D34).
 */
export const takeOfMonth = async (
  db: Db,
  want: {
    readonly userId: string;
    readonly month: string;
    readonly count: number;
    /** Of `count`, those that are sent on. */
    readonly forwarded: number;
    readonly limit: number;
  },
): Promise<MonthlyUsage | null> => {
  const { userId, month, count, forwarded, limit } = want;
  if (count > limit) return null;
  const taken = await db
    .insertInto("monthly_usage")
    .values({ user_id: userId, month, received: count, forwarded, blocked: 0, announced: 0 })
    .onConflict((conflict) =>
      conflict
        .columns(["user_id", "month"])
        .doUpdateSet((eb) => ({
          received: eb("monthly_usage.received", "+", count),
          forwarded: eb("monthly_usage.forwarded", "+", forwarded),
        }))
        .where("monthly_usage.received", "<=", limit - count),
    )
    .returning(["received", "announced"])
    .execute();
  return taken[0] ?? null;
};

/** Whether it is ours to announce that a user has used `share` percent of a month: true once a month (D34). */
export const claimAnnouncement = async (
  db: Db,
  what: { readonly userId: string; readonly month: string; readonly share: number },
): Promise<boolean> => {
  const claimed = await db
    .updateTable("monthly_usage")
    .set({ announced: what.share })
    .where("user_id", "=", what.userId)
    .where("month", "=", what.month)
    .where("announced", "<", what.share)
    .returning("user_id")
    .execute();
  return claimed.length === 1;
};

/** Counts mails that were stopped: they do not use up the plan. */
export const countBlockedOfMonth = async (
  db: Db,
  { userId, month, count }: { readonly userId: string; readonly month: string; readonly count: number },
): Promise<void> => {
  await db
    .insertInto("monthly_usage")
    .values({ user_id: userId, month, received: 0, forwarded: 0, blocked: count, announced: 0 })
    .onConflict((conflict) =>
      conflict
        .columns(["user_id", "month"])
        .doUpdateSet((eb) => ({ blocked: eb("monthly_usage.blocked", "+", count) })),
    )
    .execute();
};

/** Counts a mail of ours to somebody's mailbox; nothing happens where nobody has an account with it. */
export const countOwnMail = async (
  db: Db,
  { recipientKey, month }: { readonly recipientKey: string; readonly month: string },
): Promise<void> => {
  await sql`
    insert into monthly_usage (user_id, month, received, forwarded, blocked, announced, own_mails)
    select id, cast(${month} as text), 0, 0, 0, 0, 1 from users where email_key = ${recipientKey}
    on conflict (user_id, month) do update set own_mails = monthly_usage.own_mails + 1
  `.execute(db);
};

/** How many mails of ours a user got in a month; they do not count against the plan (D11). */
export const ownMailsIn = async (db: Db, userId: string, month: string): Promise<number> => {
  const row = await db
    .selectFrom("monthly_usage")
    .where("user_id", "=", userId)
    .where("month", "=", month)
    .select("own_mails")
    .executeTakeFirst();
  return row?.own_mails ?? 0;
};
