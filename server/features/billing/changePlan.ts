import { historyMs, limitsOf, parseTier, type Tier } from "../../../core/tiers/tier.ts";
import type { Database, Db } from "../../platform/store/database.ts";
import { appendEvent } from "../../platform/store/events.ts";
import { findUser, lockUser, type UserRow } from "../../platform/store/users.ts";
import { addNotification } from "../notifications/notificationQueries.ts";
import { type PaidPlan, setCustomerUser } from "./customerQueries.ts";
import { isHigher } from "./paidPlan.ts";
import { planNotices } from "./planNotices.ts";
import {
  extendArchiveRetention,
  pauseMasks,
  recordPlanChange,
  resumeMasks,
  setAssignedTier,
  type UserPlan,
  updatePlan,
} from "./planQueries.ts";

/** Returns the tier of a user who pays for none: the one the operator assigned, or the default. */
export const leastTier = ({ assigned_tier }: Pick<UserRow, "assigned_tier">, defaultTier: Tier): Tier =>
  assigned_tier === null ? defaultTier : parseTier(assigned_tier);

/** Returns a user's plan: the paid tier, or the default tier when that is higher. */
export const toUserPlan = ({ tier: paid, status, endsAt }: PaidPlan, defaultTier: Tier): UserPlan => {
  const tier = parseTier(paid ?? defaultTier);
  const pays = paid !== null;
  return {
    tier: isHigher(defaultTier, tier) ? defaultTier : tier,
    status: pays || status === "unpaid" || status === "paused" ? status : "active",
    pays,
    endsAt: pays ? endsAt : null,
  };
};

const isSame = (user: UserRow, plan: UserPlan): boolean =>
  parseTier(user.tier) === plan.tier &&
  user.subscription_status === plan.status &&
  (user.pays === 1) === plan.pays &&
  user.plan_ends_at === plan.endsAt;

/** Switches masks on or off to fit the plan: the oldest stay on, none is deleted (D34). Returns how many changed. */
const fitMasks = async (db: Db, userId: string, tier: Tier, now: number) => {
  const { masks } = limitsOf[tier];
  const resumed = await resumeMasks(db, userId, masks, now);
  const paused = masks === null ? 0 : await pauseMasks(db, userId, masks, now);
  return { resumed, paused };
};

interface PlanChange {
  /** True if users choose among plans here: the notifications speak of limits elsewhere. */
  readonly sellsPlans: boolean;
  readonly now: number;
}

/**
 * Changes a locked user's plan with all effects in one transaction: masks, archive retention, notifications and
 * events. Does nothing when the plan stays the same.
 */
export const changePlan = async (
  db: Db,
  userId: string,
  plan: UserPlan,
  { sellsPlans, now }: PlanChange,
): Promise<void> => {
  const before = await findUser(db, userId);
  if (!before || isSame(before, plan)) return;
  const earlier = parseTier(before.tier);
  await updatePlan(db, userId, plan);
  const isOtherTier = earlier !== plan.tier;
  if (isOtherTier) await recordPlanChange(db, userId, now);
  if (isOtherTier) await extendArchiveRetention(db, userId, historyMs(limitsOf[earlier].history));
  const masks = isOtherTier ? await fitMasks(db, userId, plan.tier, now) : { resumed: 0, paused: 0 };
  for (const notice of planNotices(before, plan, { ...masks, sellsPlans }))
    await addNotification(db, { userId, ...notice }, now);
  const changed = { userId, resourceId: null, action: "updated" };
  await appendEvent(db, { ...changed, resource: "account" }, now);
  if (masks.resumed + masks.paused > 0) await appendEvent(db, { ...changed, resource: "masks" }, now);
};

const unpaidPlan = (tier: Tier): UserPlan => ({ tier, status: "active", pays: false, endsAt: null });

/**
 * Gives every user without a paid or assigned tier the default tier. Null, where plans are sold, ends the tier
 * of a server that sells nothing.
 */
export const applyDefaultTier = async (
  database: Database,
  tier: Tier | null,
  change: PlanChange,
): Promise<void> => {
  const unpaid = database.db
    .selectFrom("users")
    .select("id")
    .where("pays", "=", 0)
    .where("assigned_tier", "is", null);
  const others = tier === null ? unpaid.where("tier", "=", "self_hosted") : unpaid.where("tier", "!=", tier);
  for (const { id } of await others.execute())
    await database.transaction(async (db) => {
      await lockUser(db, id);
      await changePlan(db, id, unpaidPlan(tier ?? "free"), change);
    });
};

/** Assigns a tier, which holds until a higher one is paid; null returns to `defaultTier`. Call it in a transaction. */
export const assignTier = async (
  db: Db,
  userId: string,
  { tier, defaultTier, ...change }: PlanChange & { readonly tier: Tier | null; readonly defaultTier: Tier },
): Promise<void> => {
  await lockUser(db, userId);
  await setAssignedTier(db, userId, tier);
  const user = await findUser(db, userId);
  if (!user) return;
  const least = tier ?? defaultTier;
  const paidTier = parseTier(user.tier);
  if (user.pays === 0) await changePlan(db, userId, unpaidPlan(least), change);
  else if (isHigher(least, paidTier))
    await changePlan(
      db,
      userId,
      { tier: least, status: user.subscription_status, pays: true, endsAt: user.plan_ends_at },
      change,
    );
};

/** Applies a mailbox's paid plan to its new user, in the transaction of the sign-up. */
export type ApplyPaidPlan = (db: Db, user: UserRow, now: number) => Promise<void>;

export const createApplyPaidPlan =
  (defaultTier: Tier): ApplyPaidPlan =>
  async (db, { id, email_key, assigned_tier }, now) => {
    const customer = await setCustomerUser(db, email_key, id);
    if (!customer) return;
    const { tier, status, ends_at: endsAt, subscription_id: subscriptionId } = customer;
    await changePlan(
      db,
      id,
      toUserPlan({ tier, status, endsAt, subscriptionId }, leastTier({ assigned_tier }, defaultTier)),
      { sellsPlans: true, now },
    );
  };
