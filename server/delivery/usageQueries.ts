import { sql } from "kysely";
import type { Db } from "../platform/store/database.ts";
import type { Engine } from "../platform/store/engine.ts";

/** Returns the calendar month in UTC that a moment belongs to: "2026-11". */
export const monthOf = (now: number): string => new Date(now).toISOString().slice(0, 7);

/** Returns the first moment of the following month. */
export const endOfMonth = (now: number): number => {
  const date = new Date(now);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
};

/** Returns how many mails a user has received in a month. */
export const countReceivedInMonth = async (
  engine: Pick<Engine, "read">,
  userId: string,
  month: string,
): Promise<number> => {
  const [row] = await engine.read<{ received: number }>(
    "select received from monthly_usage where user_id = $1 and month = $2",
    [userId, month],
  );
  return row?.received ?? 0;
};

/** Claims the announcement that a user has used `share` percent of a month; true once per month (D34). */
export const claimAnnouncement = async (
  db: Db,
  announcement: { readonly userId: string; readonly month: string; readonly share: number },
): Promise<boolean> => {
  const claimed = await db
    .updateTable("monthly_usage")
    .set({ announced: announcement.share })
    .where("user_id", "=", announcement.userId)
    .where("month", "=", announcement.month)
    .where("announced", "<", announcement.share)
    .returning("user_id")
    .execute();
  return claimed.length === 1;
};

/** Counts a system mail to a mailbox; does nothing when no user has that mailbox. */
export const countSystemMail = async (
  db: Db,
  { recipientKey, month }: { readonly recipientKey: string; readonly month: string },
): Promise<void> => {
  await sql`
    insert into monthly_usage (user_id, month, received, forwarded, blocked, announced, own_mails)
    select id, cast(${month} as text), 0, 0, 0, 0, 1 from users where email_key = ${recipientKey}
    on conflict (user_id, month) do update set own_mails = monthly_usage.own_mails + 1
  `.execute(db);
};

/** Returns how many system mails a user got in a month; they do not count toward the plan (D11). */
export const readSystemMailCount = async (db: Db, userId: string, month: string): Promise<number> => {
  const row = await db
    .selectFrom("monthly_usage")
    .where("user_id", "=", userId)
    .where("month", "=", month)
    .select("own_mails")
    .executeTakeFirst();
  return row?.own_mails ?? 0;
};

/** The usage of a month's quota by a user's mail. */
export interface AccountUsage {
  readonly received: number;
  readonly forwarded: number;
  readonly blocked: number;
}

const noUsage: AccountUsage = { received: 0, forwarded: 0, blocked: 0 };

/** Reads a user's mail counts of a month ("2026-11", UTC). */
export const readAccountUsage = async (db: Db, userId: string, month: string): Promise<AccountUsage> => {
  const row = await db
    .selectFrom("monthly_usage")
    .select(["received", "forwarded", "blocked"])
    .where("user_id", "=", userId)
    .where("month", "=", month)
    .executeTakeFirst();
  return row ?? noUsage;
};

/** Returns how many mails the user has sent from masks in a month, by recipient. */
export const readRepliesOfMonth = async (db: Db, userId: string, month: string): Promise<number> => {
  const row = await db
    .selectFrom("account_counts")
    .select("n")
    .where("user_id", "=", userId)
    .where("kind", "=", "month")
    .where("period", "=", month)
    .where("key", "=", "replied")
    .executeTakeFirst();
  return Number(row?.n ?? 0);
};
