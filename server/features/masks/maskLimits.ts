import { labelOf, mayChoosePrefix, type Tier } from "../../../core/tiers/tier.ts";
import type { ServerContext } from "../../context/serverContext.ts";
import { fieldError, UseCaseError } from "../../platform/errors/useCaseError.ts";

type Server = Pick<ServerContext, "sellsPlans">;

/** The error for more masks than an account may have (D34). */
export const maskLimitReached =
  ({ sellsPlans }: Server) =>
  (tier: Tier, masks: number): UseCaseError =>
    new UseCaseError(
      "forbidden",
      sellsPlans
        ? `The ${labelOf[tier]} plan has ${masks} masks. Delete one, or upgrade your plan to create more.`
        : `This server allows ${masks} masks an account. Delete one to create another.`,
    );

/** The error for activating more masks than an account may have, possible after a change to smaller limits. */
export const activeLimitReached =
  ({ sellsPlans }: Server) =>
  (tier: Tier, masks: number): UseCaseError =>
    new UseCaseError(
      "forbidden",
      sellsPlans
        ? `The ${labelOf[tier]} plan has ${masks} active masks. Switch another one off first, or upgrade your plan.`
        : `This server allows ${masks} active masks an account. Switch another one off first.`,
    );

const prefixText = ({ sellsPlans }: Server, tier: Tier): string => {
  if (!sellsPlans) return "Your account cannot choose the prefix on this server. Leave the prefix empty.";
  return tier === "business"
    ? "Custom prefixes are part of the Premium plan only. Leave the prefix empty."
    : "Custom prefixes are part of the Premium plan. Leave the prefix empty, or upgrade your plan.";
};

/** Throws for a prefix that the user's tier does not include (D16). */
export const assertMayHavePrefix = (server: Server, tier: Tier, prefix: string | null): void => {
  if (prefix === null || mayChoosePrefix(tier)) return;
  throw fieldError("forbidden", "customPrefix", prefixText(server, tier));
};
