import * as t from "io-ts";
import { endpoint } from "../api/endpoint.ts";
import { completed, givenFields } from "../api/wireCodecs.ts";
import { type Tier, tiers } from "../tiers/tier.ts";
import { AiFeatures, AiFeaturesChange, aiFeatureDefaults } from "./aiFeature.ts";

/** The consent of the user to the use of the content of their mail (SG3, SG5). */
export const ContentAccessAnswer = completed(
  t.intersection([
    t.type({ contentAccessEnabled: t.boolean, contentAccessAcknowledged: t.boolean }),
    t.partial({
      contentAccessEligible: t.boolean,
      currentTier: t.string,
      /** The features of the plan that use content: smartFiltering, contentCategorization. */
      features: t.record(t.string, t.boolean),
      /** The host of the external model that mail is also sent to; absent when mail does not leave this server. */
      externalModel: t.string,
    }),
  ]),
  (given) => ({ contentAccessAcknowledged: given["contentAccessEnabled"] === true, ...given }),
);
export type ContentAccessAnswer = t.TypeOf<typeof ContentAccessAnswer>;

/** The values shown after a canceled request; they are never consent, and never stored or sent (D46). */
export const contentAccessFallback: ContentAccessAnswer = {
  contentAccessEnabled: true,
  contentAccessAcknowledged: true,
  features: { smartFiltering: true, contentCategorization: true },
};

/** Checks whether a tier includes content access: Pro and above (SG4). */
export const mayAccessContent = (tier: Tier): boolean => tiers.indexOf(tier) >= tiers.indexOf("pro");

/** Returns whether content access is on, and whether the plan allows it; off where an answer does not say it. */
export const getContentAccess = endpoint("GET", "/ai/content-access", {
  answer: completed(ContentAccessAnswer, (given) => ({ contentAccessEnabled: false, ...given })),
});

/** Switches content access; 400 with `acknowledgmentRequired` without the acknowledgment, 403 below Pro (SG4). */
export const putContentAccess = endpoint("PUT", "/ai/content-access", {
  body: t.intersection([
    t.type({ contentAccessEnabled: t.boolean }),
    t.partial({ acknowledgment: t.boolean }),
  ]),
  answer: ContentAccessAnswer,
});

const PreferenceFields = t.intersection([
  t.type({ features: AiFeatures }),
  t.partial({
    /** The features that this server supports; absent for all. */
    offered: t.array(t.string),
  }),
]);

const isFeature = ([name]: readonly [string, unknown]): boolean => Object.hasOwn(aiFeatureDefaults, name);

/** Returns the features of a map that names some; undefined for another value. */
const featuresIn = (map: unknown): unknown => {
  const features = Object.entries(givenFields(map)).filter(isFeature);
  return features.length === 0 ? undefined : Object.fromEntries(features);
};

/** Returns the features of an answer; other servers may answer their map alone, or under `preferences` as in the request. */
const featuresOf = ({ features, preferences, ...given }: Readonly<Record<string, unknown>>): unknown =>
  features ?? givenFields(preferences)["features"] ?? featuresIn(preferences ?? given);

/** The features that are on. */
export const Preferences = completed(PreferenceFields, (given) => ({
  ...given,
  features: featuresOf(given),
}));
export type Preferences = t.TypeOf<typeof Preferences>;

/** The changed settings as the socket announces them. */
export const AnnouncedContentAccess = t.intersection([
  ContentAccessAnswer,
  t.type({ preferences: Preferences }),
]);
export type AnnouncedContentAccess = t.TypeOf<typeof AnnouncedContentAccess>;

/** Returns which AI features are on (SG5); those that an answer leaves out have their defaults. */
export const getPreferences = endpoint("GET", "/ai/preferences", {
  answer: completed(PreferenceFields, (given) => ({ ...given, features: featuresOf(given) ?? {} })),
});

/** Switches AI features; 400 while content access is off, 403 below Pro (SG4). */
export const putPreferences = endpoint("PUT", "/ai/preferences", {
  body: t.type({ preferences: t.type({ features: AiFeaturesChange }) }),
  answer: Preferences,
});
