import type { Db } from "./database.ts";

/** What a user's mail has used of a month. */
export interface AccountUsage {
  readonly received: number;
  readonly forwarded: number;
  readonly blocked: number;
}

const nothing: AccountUsage = { received: 0, forwarded: 0, blocked: 0 };

/** A user's mail in a month ("2026-11", UTC). */
export const accountUsage = async (db: Db, userId: string, month: string): Promise<AccountUsage> => {
  const row = await db
    .selectFrom("monthly_usage")
    .select(["received", "forwarded", "blocked"])
    .where("user_id", "=", userId)
    .where("month", "=", month)
    .executeTakeFirst();
  return row ?? nothing;
};
