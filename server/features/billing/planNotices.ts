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

/** The effect of a change of the plan. */
interface Outcome extends SwitchedMasks {
  readonly sellsPlans: boolean;
}

const limitText = (count: number | null, ofWhat: string): string =>
  count === null ? `any number of ${ofWhat}` : `${count.toLocaleString("en-US")} ${ofWhat}`;

/** Says what an account has now, by the name of its plan where it has one. */
const changeText = ({ tier }: UserPlan, sellsPlans: boolean): string => {
  if (sellsPlans) return `Your plan is now ${labelOf[tier]}.`;
  const { masks, emailsPerMonth } = limitsOf[tier];
  return `The limits of your account have changed: ${limitText(masks, "masks")}, ${limitText(emailsPerMonth, "emails a month")}.`;
};

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

const tierNotices = (before: UserRow, plan: UserPlan, { sellsPlans, ...switched }: Outcome): Notice[] => {
  const earlier = parseTier(before.tier);
  if (earlier === plan.tier) return [];
  const isUp = isHigher(plan.tier, earlier);
  const rest = isUp ? resumedText(switched) : pausedText(plan, switched);
  return [
    {
      type: isUp ? "info" : "warning",
      priority: isUp ? "normal" : "high",
      message: `${changeText(plan, sellsPlans)}${rest}`,
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
export const planNotices = (before: UserRow, plan: UserPlan, outcome: Outcome): readonly Notice[] => [
  ...tierNotices(before, plan, outcome),
  ...failedPaymentNotices(before, plan),
  ...endingNotices(before, plan),
];
