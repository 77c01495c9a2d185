import { labelOf, limitsOf, parseTier } from "../../../core/tiers/tier.ts";
import type { UserRow } from "../../platform/store/users.ts";
import type { NewNotification } from "../notifications/notificationQueries.ts";
import { isHigher } from "./paidPlan.ts";
import type { UserPlan } from "./planQueries.ts";

type Notice = Omit<NewNotification, "userId">;

interface SwitchedMasks {
  readonly paused: number;
  readonly resumed: number;
}

const day = new Intl.DateTimeFormat("en-US", {
  day: "numeric",
  month: "long",
  year: "numeric",
  timeZone: "UTC",
});

const masksText = (count: number): string => (count === 1 ? "1 mask" : `${count} masks`);

const pausedText = (plan: UserPlan, { paused }: SwitchedMasks): string => {
  if (paused === 0) return " Nothing was deleted.";
  const were = paused === 1 ? "was" : "were";
  return ` Your oldest ${limitsOf[plan.tier].masks} masks stay on, ${masksText(paused)} ${were} switched off. Nothing was deleted.`;
};

const resumedText = ({ resumed }: SwitchedMasks): string => {
  if (resumed === 0) return "";
  return ` ${masksText(resumed)} ${resumed === 1 ? "is" : "are"} switched on again.`;
};

const tierNotices = (before: UserRow, plan: UserPlan, switched: SwitchedMasks): Notice[] => {
  const earlier = parseTier(before.tier);
  if (earlier === plan.tier) return [];
  const isUp = isHigher(plan.tier, earlier);
  const rest = isUp ? resumedText(switched) : pausedText(plan, switched);
  return [
    {
      type: isUp ? "info" : "warning",
      priority: isUp ? "normal" : "high",
      message: `Your plan is now ${labelOf[plan.tier]}.${rest}`,
    },
  ];
};

const failedPaymentNotices = (before: UserRow, plan: UserPlan): Notice[] => {
  const isNew = before.subscription_status !== plan.status;
  if (!isNew || plan.status !== "past_due") return [];
  const message = `The payment for your ${labelOf[plan.tier]} plan has failed. To keep the plan, check your card under Manage Plan.`;
  return [{ type: "warning", priority: "high", message }];
};

const endingNotices = (before: UserRow, plan: UserPlan): Notice[] => {
  if (plan.endsAt === null || before.plan_ends_at === plan.endsAt) return [];
  const message = `Your ${labelOf[plan.tier]} plan ends on ${day.format(plan.endsAt)}.`;
  return [{ type: "info", priority: "normal", message }];
};

/** Returns the notifications about a plan change. */
export const planNotices = (before: UserRow, plan: UserPlan, switched: SwitchedMasks): readonly Notice[] => [
  ...tierNotices(before, plan, switched),
  ...failedPaymentNotices(before, plan),
  ...endingNotices(before, plan),
];
