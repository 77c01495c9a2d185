import { type SqlBool, sql } from "kysely";
import { countKinds } from "./counts.ts";
import type { Db } from "./database.ts";

const tables = ["account_counts", "mask_counts"] as const;

/** A page of users who have been under one plan since a moment, in the order of their ids. */
export const usersOfTier = async (
  db: Db,
  tiers: readonly string[],
  { since, after, limit }: { readonly since: number; readonly after: string; readonly limit: number },
): Promise<readonly string[]> => {
  const rows = await db
    .selectFrom("users")
    .select("id")
    .where("tier", "in", tiers)
    .where("plan_changed_at", "<=", since)
    .where("id", ">", after)
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
};

/** Forgets figures and mails of these users from before their plan's history begins. */
export const forgetHistory = async (
  db: Db,
  userIds: readonly string[],
  oldest: {
    readonly day: string;
    readonly month: string;
    /** Milliseconds since 1970. */
    readonly mail: number;
    readonly chartDay: string;
    readonly thisMonth: string;
  },
): Promise<void> => {
  const history = countKinds.filter((kind) => kind !== "day" && kind !== "month");
  for (const table of tables) {
    const theirs = db.deleteFrom(table).where("user_id", "in", userIds);
    await theirs
      .where("kind", "in", history)
      .where("period", "<", oldest.day)
      .where(sql<SqlBool>`length(period) = 10`)
      .execute();
    await theirs
      .where("kind", "in", history)
      .where("period", "<", oldest.month)
      .where(sql<SqlBool>`length(period) = 7`)
      .execute();
    await theirs.where("kind", "=", "day").where("period", "<", oldest.chartDay).execute();
    await theirs.where("kind", "=", "month").where("period", "<", oldest.thisMonth).execute();
  }
  await db.deleteFrom("recent_mails").where("user_id", "in", userIds).where("at", "<", oldest.mail).execute();
};
