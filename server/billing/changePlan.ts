import { historyMs, limitsOf, type Tier, tierNamed } from "../../core/tiers/tier.ts";
import type { PaidPlan } from "../store/billingCustomers.ts";
import type { Db } from "../store/database.ts";
import { appendEvent } from "../store/events.ts";
import { addNotification } from "../store/notifications.ts";
import {
  keepPromises,
  notePlanChange,
  pauseMasks,
  resumeMasks,
  setPlan,
  type UserPlan,
} from "../store/planChange.ts";
import { type UserRow, userById } from "../store/users.ts";
import { isHigher } from "./paidPlan.ts";
import { noticesOf } from "./planNotices.ts";

/** What a user has: what is paid, or what everybody has when that is more. */
export const userPlan = ({ tier: paid, status, endsAt }: PaidPlan, everybodys: Tier): UserPlan => {
  const tier = tierNamed(paid ?? everybodys);
  const pays = paid !== null;
  return {
    tier: isHigher(everybodys, tier) ? everybodys : tier,
    status: pays || status === "unpaid" || status === "paused" ? status : "active",
    pays,
    endsAt: pays ? endsAt : null,
  };
};

const isSame = (user: UserRow, plan: UserPlan): boolean =>
  tierNamed(user.tier) === plan.tier &&
  user.subscription_status === plan.status &&
  (user.pays === 1) === plan.pays &&
  user.plan_ends_at === plan.endsAt;

/** The masks fit the plan: the oldest stay, nothing is deleted (D34). Answers how many were switched. */
const fitMasks = async (db: Db, userId: string, tier: Tier, now: number) => {
  const { masks } = limitsOf[tier];
  const resumed = await resumeMasks(db, userId, masks, now);
  const paused = masks === null ? 0 : await pauseMasks(db, userId, masks, now);
  return { resumed, paused };
};

/**
 * Gives a user, who must be locked, a plan, with all that follows from it in the same transaction: masks, what was
 * promised of the archive, notifications, and the events by which pages hear of it. Nothing when nothing changes.
 */
export const changePlan = async (db: Db, userId: string, plan: UserPlan, now: number): Promise<void> => {
  const before = await userById(db, userId);
  if (!before || isSame(before, plan)) return;
  const earlier = tierNamed(before.tier);
  await setPlan(db, userId, plan);
  const isOther = earlier !== plan.tier;
  if (isOther) await notePlanChange(db, userId, now);
  if (isOther) await keepPromises(db, userId, historyMs(limitsOf[earlier].history));
  const masks = isOther ? await fitMasks(db, userId, plan.tier, now) : { resumed: 0, paused: 0 };
  for (const notice of noticesOf(before, plan, masks)) await addNotification(db, { userId, ...notice }, now);
  const changed = { userId, resourceId: null, action: "updated" };
  await appendEvent(db, { ...changed, resource: "account" }, now);
  if (masks.resumed + masks.paused > 0) await appendEvent(db, { ...changed, resource: "masks" }, now);
};
