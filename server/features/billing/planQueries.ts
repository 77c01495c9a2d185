import type { Tier } from "../../../core/tiers/tier.ts";
import type { Db } from "../../platform/store/database.ts";
import type { UserRow } from "../../platform/store/users.ts";

/** A user's plan and the status of its payment. */
export interface UserPlan {
  readonly tier: Tier;
  /** The payment provider's status of the subscription. */
  readonly status: string;
  readonly pays: boolean;
  readonly endsAt: number | null;
}

/** Stores a user's plan; the caller must have locked the user. */
export const updatePlan = (db: Db, userId: string, plan: UserPlan): Promise<UserRow | undefined> =>
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

/** Stores the tier that the operator gives to a user; null for none. */
export const setAssignedTier = async (db: Db, userId: string, tier: Tier | null): Promise<void> => {
  await db.updateTable("users").set({ assigned_tier: tier }).where("id", "=", userId).execute();
};

/** Records when a user changed to another plan. */
export const recordPlanChange = async (db: Db, userId: string, now: number): Promise<void> => {
  await db.updateTable("users").set({ plan_changed_at: now }).where("id", "=", userId).execute();
};

const findMasksInState = (
  db: Db,
  userId: string,
  state: { readonly active: 0 | 1; readonly paused: 0 | 1 },
) =>
  db
    .selectFrom("masks")
    .select("id")
    .where("user_id", "=", userId)
    .where("active", "=", state.active)
    .where("paused", "=", state.paused)
    .orderBy("created_at")
    .orderBy("id")
    .execute();

/** Switches off the masks beyond `limit`; the oldest stay on (D34). Returns how many were switched off. */
export const pauseMasks = async (db: Db, userId: string, limit: number, now: number): Promise<number> => {
  const excess = (await findMasksInState(db, userId, { active: 1, paused: 0 }))
    .slice(limit)
    .map(({ id }) => id);
  for (const id of excess)
    await db
      .updateTable("masks")
      .set({ active: 0, paused: 1, updated_at: now })
      .where("id", "=", id)
      .execute();
  return excess.length;
};

/**
 * Switches on masks that a smaller plan had switched off, oldest first, up to `limit` active ones (null: all);
 * returns how many.
 */
export const resumeMasks = async (
  db: Db,
  userId: string,
  limit: number | null,
  now: number,
): Promise<number> => {
  const paused = (await findMasksInState(db, userId, { active: 0, paused: 1 })).map(({ id }) => id);
  const room =
    limit === null
      ? paused.length
      : limit - (await findMasksInState(db, userId, { active: 1, paused: 0 })).length;
  const resumed = paused.slice(0, Math.max(0, room));
  for (const id of resumed)
    await db
      .updateTable("masks")
      .set({ active: 1, paused: 0, updated_at: now })
      .where("id", "=", id)
      .execute();
  return resumed.length;
};

/** Keeps archived mails for `keptMs` from their arrival (null: forever), as the old plan promised. */
export const extendArchiveRetention = async (
  db: Db,
  userId: string,
  keptMs: number | null,
): Promise<void> => {
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
