import * as t from "io-ts";
import { type Tier, tiers } from "../tiers/tier.ts";

/** Whether the server may derive anything from the content of a user's mail (SG3, SG5). */
export const ContentAccessAnswer = t.intersection([
  t.type({ contentAccessEnabled: t.boolean, contentAccessAcknowledged: t.boolean }),
  t.partial({
    contentAccessEligible: t.boolean,
    currentTier: t.string,
    /** What of the plan works with content: smartFiltering, contentCategorization. */
    features: t.record(t.string, t.boolean),
    /** The host of a model elsewhere that is asked about mail too; absent: nothing leaves this server. */
    externalModel: t.string,
  }),
]);
export type ContentAccessAnswer = t.TypeOf<typeof ContentAccessAnswer>;

/** What a cancelled request shows; never consent, and never stored or sent (D46). */
export const contentAccessFallback: ContentAccessAnswer = {
  contentAccessEnabled: true,
  contentAccessAcknowledged: true,
  features: { smartFiltering: true, contentCategorization: true },
};

/** Content access needs Pro or a tier above it (SG4). */
export const mayAccessContent = (tier: Tier): boolean => tiers.indexOf(tier) >= tiers.indexOf("pro");
