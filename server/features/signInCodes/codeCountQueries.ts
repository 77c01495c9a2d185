import { dayMs } from "../../../core/kernel/durations.ts";
import type { Db } from "../../platform/store/database.ts";
import { wrongCodeLimits } from "./codeLimits.ts";
import type { CodeCountsTable } from "./signInCodeTables.ts";

type Kind = CodeCountsTable["kind"];

export interface CodeCount {
  readonly count: number;
  readonly nextAt: number;
}

/** Counts once more and returns the count of the period, which begins anew when it is over. */
export const countCode = async (
  db: Db,
  counted: { readonly key: string; readonly kind: Kind; readonly withinMs: number },
  now: number,
): Promise<number> => {
  const { key, kind, withinMs } = counted;
  const isOver = now - withinMs;
  const { count } = await db
    .insertInto("code_counts")
    .values({ key, kind, count: 1, since: now, next_at: 0 })
    .onConflict((conflict) =>
      conflict.column("key").doUpdateSet((e) => ({
        count: e
          .case()
          .when("code_counts.since", "<=", isOver)
          .then(1)
          .else(e("code_counts.count", "+", 1))
          .end(),
        since: e
          .case()
          .when("code_counts.since", "<=", isOver)
          .then(now)
          .else(e.ref("code_counts.since"))
          .end(),
      })),
    )
    .returning("count")
    .executeTakeFirstOrThrow();
  return Number(count);
};

/** Has the next code wait. */
export const delayNextCode = async (db: Db, key: string, nextAt: number): Promise<void> => {
  await db.updateTable("code_counts").set({ next_at: nextAt }).where("key", "=", key).execute();
};

/** Returns the count of the last day, and until when the next code has to wait. */
export const readCodeCount = async (db: Db, key: string, now: number): Promise<CodeCount> => {
  const row = await db
    .selectFrom("code_counts")
    .where("key", "=", key)
    .where("since", ">", now - dayMs)
    .select(["count", "next_at as nextAt"])
    .executeTakeFirst();
  return { count: Number(row?.count ?? 0), nextAt: Number(row?.nextAt ?? 0) };
};

/** Takes back what was counted before a code turned out to be right. */
export const uncountCode = async (db: Db, key: string): Promise<void> => {
  await db
    .updateTable("code_counts")
    .set((e) => ({ count: e("count", "-", 1) }))
    .where("key", "=", key)
    .where("count", ">", 0)
    .execute();
};

/** Returns how many accounts had so many wrong codes in the last day that their owner was told, and how many wrong codes there were. */
export const readWrongCodes = async (
  db: Db,
  now: number,
): Promise<{ readonly accounts: number; readonly codes: number }> => {
  const recent = db.selectFrom("code_counts").where("since", ">", now - dayMs);
  const accounts = await recent
    .where("kind", "=", "account")
    .where("count", ">=", wrongCodeLimits.notifiedAfter)
    .select(({ fn }) => fn.countAll<number>().as("n"))
    .executeTakeFirstOrThrow();
  const all = await recent.where("kind", "=", "all").select("count").executeTakeFirst();
  return { accounts: Number(accounts.n), codes: Number(all?.count ?? 0) };
};

/** Returns how many passkeys were refused in the last day. */
export const readRefusedPasskeys = async (db: Db, now: number): Promise<number> => {
  const all = await db
    .selectFrom("code_counts")
    .where("kind", "=", "all-passkeys")
    .where("since", ">", now - dayMs)
    .select("count")
    .executeTakeFirst();
  return Number(all?.count ?? 0);
};

export const pruneCodeCounts = async (db: Db, now: number): Promise<void> => {
  await db
    .deleteFrom("code_counts")
    .where("since", "<=", now - dayMs)
    .execute();
};
