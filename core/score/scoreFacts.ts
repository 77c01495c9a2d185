import type { Account } from "../account/accountDetails.ts";
import { type Tier, tiers } from "../tiers/tier.ts";

/** What a SecuriScore is computed from; null is not known. */
export interface ScoreFacts {
  readonly hasTwoFactor: boolean;
  readonly isEncrypted: boolean;
  readonly activeMasks: number | null;
  /** Whether content access is switched on, whatever the plan. */
  readonly contentAccess: boolean | null;
  readonly isAboveBasic: boolean;
  /** How many masks the plan allows; null when there is no limit, or none is known. */
  readonly mostMasks: number | null;
}

const isAboveBasic = (tier: Tier): boolean => tiers.indexOf(tier) > tiers.indexOf("basic");

/** What an account says about its own safety. */
export const scoreFactsOf = ({
  twoFactor,
  keyStatus,
  subscription,
  settings,
  usage,
  limits,
}: Account): ScoreFacts => ({
  hasTwoFactor: twoFactor.enabled,
  isEncrypted: keyStatus === "configured",
  activeMasks: usage?.masks.active ?? null,
  contentAccess: settings?.contentAccessEnabled ?? null,
  isAboveBasic: isAboveBasic(subscription.tier),
  mostMasks: limits?.maxMasks ?? null,
});
