import * as t from "io-ts";
import { endpoint } from "../api/endpoint.ts";
import { type Tier, tiers } from "../tiers/tier.ts";
import { AiFeatures, AiFeaturesChange } from "./aiFeature.ts";

/** Whether the server may use the content of the user's mail (SG3, SG5). */
export const ContentAccessAnswer = t.intersection([
  t.type({ contentAccessEnabled: t.boolean, contentAccessAcknowledged: t.boolean }),
  t.partial({
    contentAccessEligible: t.boolean,
    currentTier: t.string,
    /** The features of the plan that use content: smartFiltering, contentCategorization. */
    features: t.record(t.string, t.boolean),
    /** The host of the external model that mail is also sent to; absent when mail does not leave this server. */
    externalModel: t.string,
  }),
]);
export type ContentAccessAnswer = t.TypeOf<typeof ContentAccessAnswer>;

/** The values shown after a canceled request; they are never consent, and never stored or sent (D46). */
export const contentAccessFallback: ContentAccessAnswer = {
  contentAccessEnabled: true,
  contentAccessAcknowledged: true,
  features: { smartFiltering: true, contentCategorization: true },
};

/** Checks whether a tier includes content access: Pro and above (SG4). */
export const mayAccessContent = (tier: Tier): boolean => tiers.indexOf(tier) >= tiers.indexOf("pro");

/** Returns whether content access is on, and whether the plan allows it. */
export const getContentAccess = endpoint("GET", "/ai/content-access", { answer: ContentAccessAnswer });

/** Switches content access; 400 with `acknowledgmentRequired` without the acknowledgment, 403 below Pro (SG4). */
export const putContentAccess = endpoint("PUT", "/ai/content-access", {
  body: t.intersection([
    t.type({ contentAccessEnabled: t.boolean }),
    t.partial({ acknowledgment: t.boolean }),
  ]),
  answer: ContentAccessAnswer,
});

export const Preferences = t.intersection([
  t.type({ features: AiFeatures }),
  t.partial({
    /** The features that this server supports; absent for all. */
    offered: t.array(t.string),
  }),
]);
export type Preferences = t.TypeOf<typeof Preferences>;

/** The changed settings as the socket announces them. */
export const AnnouncedContentAccess = t.intersection([
  ContentAccessAnswer,
  t.type({ preferences: Preferences }),
]);
export type AnnouncedContentAccess = t.TypeOf<typeof AnnouncedContentAccess>;

/** Returns which AI features are on (SG5). */
export const getPreferences = endpoint("GET", "/ai/preferences", { answer: Preferences });

/** Switches AI features; 400 while content access is off, 403 below Pro (SG4). */
export const putPreferences = endpoint("PUT", "/ai/preferences", {
  body: t.type({ preferences: t.type({ features: AiFeaturesChange }) }),
  answer: Preferences,
});
