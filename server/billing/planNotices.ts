import { labelOf, limitsOf, tierNamed } from "../../core/tiers/tier.ts";
import type { NewNotification } from "../store/notifications.ts";
import type { UserPlan } from "../store/planChange.ts";
import type { UserRow } from "../store/users.ts";
import { isHigher } from "./paidPlan.ts";

type Notice = Omit<NewNotification, "userId">;

/** How many masks the change has switched. */
interface Switched {
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

const pausedText = (plan: UserPlan, { paused }: Switched): string => {
  if (paused === 0) return " Nothing was deleted.";
  const were = paused === 1 ? "was" : "were";
  return ` Your oldest ${limitsOf[plan.tier].masks} masks stay on, ${masksText(paused)} ${were} switched off. Nothing was deleted.`;
};

const resumedText = ({ resumed }: Switched): string => {
  if (resumed === 0) return "";
  return ` ${masksText(resumed)} ${resumed === 1 ? "is" : "are"} switched on again.`;
};

const ofTier = (before: UserRow, plan: UserPlan, switched: Switched): Notice[] => {
  const earlier = tierNamed(before.tier);
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

const failed = (before: UserRow, plan: UserPlan): Notice[] => {
  const isNew = before.subscription_status !== plan.status;
  if (!isNew || plan.status !== "past_due") return [];
  const message = `The payment for your ${labelOf[plan.tier]} plan has failed. To keep the plan, check your card under Manage Plan.`;
  return [{ type: "warning", priority: "high", message }];
};

const ending = (before: UserRow, plan: UserPlan): Notice[] => {
  if (plan.endsAt === null || before.plan_ends_at === plan.endsAt) return [];
  const message = `Your ${labelOf[plan.tier]} plan ends on ${day.format(plan.endsAt)}.`;
  return [{ type: "info", priority: "normal", message }];
};

/** What a user is told of a change of plan. */
export const noticesOf = (before: UserRow, plan: UserPlan, switched: Switched): readonly Notice[] => [
  ...ofTier(before, plan, switched),
  ...failed(before, plan),
  ...ending(before, plan),
];
