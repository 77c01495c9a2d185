import type { Db } from "./database.ts";

/** What became of a suggestion: 1 applied, 2 dismissed. */
export interface SuggestionMark {
  readonly actionKey: string;
  readonly status: number;
  /** JSON: as it was when it was marked. */
  readonly suggestion: string;
}

/** A user's marks are this many; of more the oldest are forgotten. */
const mostMarks = 500;

/** A user's marks, the newest first. */
export const marksOf = async (db: Db, userId: string): Promise<readonly SuggestionMark[]> =>
  db
    .selectFrom("suggestion_marks")
    .where("user_id", "=", userId)
    .orderBy("marked_at", "desc")
    .orderBy("action_key")
    .limit(mostMarks)
    .select(["action_key as actionKey", "status", "suggestion"])
    .execute();

/** Marks a suggestion, in the place of what was said of it before. */
export const markSuggestion = async (
  db: Db,
  userId: string,
  mark: SuggestionMark & { readonly now: number },
): Promise<void> => {
  const columns = { status: mark.status, suggestion: mark.suggestion, marked_at: mark.now };
  await db
    .insertInto("suggestion_marks")
    .values({ user_id: userId, action_key: mark.actionKey, ...columns })
    .onConflict((conflict) => conflict.columns(["user_id", "action_key"]).doUpdateSet(columns))
    .execute();
  const last = await db
    .selectFrom("suggestion_marks")
    .where("user_id", "=", userId)
    .orderBy("marked_at", "desc")
    .offset(mostMarks)
    .limit(1)
    .select("marked_at")
    .executeTakeFirst();
  if (last)
    await db
      .deleteFrom("suggestion_marks")
      .where("user_id", "=", userId)
      .where("marked_at", "<=", last.marked_at)
      .execute();
};

/** Takes back what was said of a suggestion. */
export const unmarkSuggestion = async (db: Db, userId: string, actionKey: string): Promise<void> => {
  await db
    .deleteFrom("suggestion_marks")
    .where("user_id", "=", userId)
    .where("action_key", "=", actionKey)
    .execute();
};
