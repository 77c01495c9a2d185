import type { Tier } from "../../core/tiers/tier.ts";
import type { Db } from "./database.ts";
import type { UserRow } from "./users.ts";

/** A user's plan and how its payment stands. */
export interface UserPlan {
  readonly tier: Tier;
  /** The payment provider's word. */
  readonly status: string;
  readonly pays: boolean;
  readonly endsAt: number | null;
}

/** Writes a user's plan; the user must be locked. */
export const setPlan = (db: Db, userId: string, plan: UserPlan): Promise<UserRow | undefined> =>
  db
    .updateTable("users")
    .set({
      tier: plan.tier,
      subscription_status: plan.status,
      pays: plan.pays ? 1 : 0,
      plan_ends_at: plan.endsAt,
    })
    .where("id", "=", userId)
    .returningAll()
    .executeTakeFirst();

/** Notes that a user's plan is another than before. */
export const notePlanChange = async (db: Db, userId: string, now: number): Promise<void> => {
  await db.updateTable("users").set({ plan_changed_at: now }).where("id", "=", userId).execute();
};

/** Those of a user's masks that are switched as told, the oldest first. */
const oldestMasks = (db: Db, userId: string, state: { readonly active: 0 | 1; readonly paused: 0 | 1 }) =>
  db
    .selectFrom("masks")
    .select("id")
    .where("user_id", "=", userId)
    .where("active", "=", state.active)
    .where("paused", "=", state.paused)
    .orderBy("created_at")
    .orderBy("id")
    .execute();

/**
 * Switches off the masks that a plan of `limit` has no room for; the oldest stay as they are (D34). Answers how many
 * were switched off.
 */
export const pauseMasks = async (db: Db, userId: string, limit: number, now: number): Promise<number> => {
  const over = (await oldestMasks(db, userId, { active: 1, paused: 0 })).slice(limit).map(({ id }) => id);
  for (const id of over)
    await db
      .updateTable("masks")
      .set({ active: 0, paused: 1, updated_at: now })
      .where("id", "=", id)
      .execute();
  return over.length;
};

/** Switches on again what a smaller plan had switched off, the oldest first, as far as `limit` goes; null: all. */
export const resumeMasks = async (
  db: Db,
  userId: string,
  limit: number | null,
  now: number,
): Promise<number> => {
  const paused = (await oldestMasks(db, userId, { active: 0, paused: 1 })).map(({ id }) => id);
  const room =
    limit === null ? paused.length : limit - (await oldestMasks(db, userId, { active: 1, paused: 0 })).length;
  const back = paused.slice(0, Math.max(0, room));
  for (const id of back)
    await db
      .updateTable("masks")
      .set({ active: 1, paused: 0, updated_at: now })
      .where("id", "=", id)
      .execute();
  return back.length;
};

/** What is in the archive was promised to be kept for `keptMs` (null: for ever), and is, whatever the next plan keeps. */
export const keepPromises = async (db: Db, userId: string, keptMs: number | null): Promise<void> => {
  const mails = db.updateTable("archived_mails").where("user_id", "=", userId);
  await (keptMs === null
    ? mails.set({ keep_until: Number.MAX_SAFE_INTEGER })
    : mails
        .set((eb) => ({ keep_until: eb("created_at", "+", keptMs) }))
        .where((eb) =>
          eb.or([eb("keep_until", "is", null), eb("keep_until", "<", eb("created_at", "+", keptMs))]),
        )
  ).execute();
};
