import type { Seal } from "../../platform/ops/secrets.ts";
import type { Db } from "../../platform/store/database.ts";
import { type HeldMailRow, listHeldMails } from "./heldQueries.ts";

/** An owner who is told of newly held mail. */
export interface DueNotice {
  readonly userId: string;
  readonly email: string;
}

/** Returns the owners of mails held before a moment and not noticed yet, whose last notice is old enough. */
export const listDueNotices = (
  db: Db,
  { heldBefore, lastBefore }: { readonly heldBefore: number; readonly lastBefore: number },
): Promise<readonly DueNotice[]> =>
  db
    .selectFrom("held_mails")
    .innerJoin("users", "users.id", "held_mails.user_id")
    .where("held_mails.noticed_at", "is", null)
    .where("held_mails.held_at", "<=", heldBefore)
    .where("users.held_notices", "=", 1)
    .where("users.suspended", "=", 0)
    .where((e) =>
      e.or([e("users.held_noticed_at", "is", null), e("users.held_noticed_at", "<=", lastBefore)]),
    )
    .select(["users.id as userId", "users.email"])
    .distinct()
    .orderBy("users.id")
    .execute();

/** Returns a user's held mails that no notice has listed, newest first. */
export const listUnnoticedMails = async (
  db: Db,
  seal: Pick<Seal, "open">,
  userId: string,
): Promise<readonly HeldMailRow[]> => {
  const unnoticed = await db
    .selectFrom("held_mails")
    .where("user_id", "=", userId)
    .where("noticed_at", "is", null)
    .select("id")
    .execute();
  const ids = new Set(unnoticed.map(({ id }) => id));
  const mails = await listHeldMails(db, seal, userId, { maskId: undefined, before: undefined, limit: null });
  return mails.filter(({ id }) => ids.has(id));
};

/** Notes that a notice is sent now; false when another process has sent one, or the user turned notices off. */
export const claimHeldNotice = async (
  db: Db,
  userId: string,
  { now, lastBefore }: { readonly now: number; readonly lastBefore: number },
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable("users")
    .set({ held_noticed_at: now })
    .where("id", "=", userId)
    .where("held_notices", "=", 1)
    .where((e) => e.or([e("held_noticed_at", "is", null), e("held_noticed_at", "<=", lastBefore)]))
    .executeTakeFirst();
  return numUpdatedRows === 1n;
};

/** Notes that a notice has listed these mails. */
export const markNoticed = async (
  db: Db,
  userId: string,
  { ids, now }: { readonly ids: readonly string[]; readonly now: number },
): Promise<void> => {
  await db
    .updateTable("held_mails")
    .set({ noticed_at: now })
    .where("user_id", "=", userId)
    .where("id", "in", ids)
    .execute();
};
