import type { Db } from "./database.ts";

/** Uses something up that works once, in the transaction of what it allows; false when it was used before. */
export const takeOnce = async (
  db: Db,
  mark: {
    /** A keyed hash that stands for it. */
    readonly hash: string;
    /** The time from which on it does not work any more, so that its use is forgotten. */
    readonly endsAt: number;
  },
): Promise<boolean> => {
  const inserted = await db
    .insertInto("used_marks")
    .values({ hash: mark.hash, expires_at: mark.endsAt })
    .onConflict((conflict) => conflict.column("hash").doNothing())
    .returning("hash")
    .executeTakeFirst();
  return inserted !== undefined;
};

/** Forgets the uses of what does not work any more. */
export const pruneUsedMarks = async (db: Db, now: number): Promise<void> => {
  await db.deleteFrom("used_marks").where("expires_at", "<=", now).execute();
};
