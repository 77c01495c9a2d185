import * as t from "io-ts";
import { completed } from "../api/wireCodecs.ts";

/** The seven features that use mail content, with their default settings (SG5). */
export const aiFeatureDefaults = {
  categorization: true,
  summaries: false,
  prioritization: false,
  enhancedFiltering: true,
  contentRules: false,
  processAttachments: false,
  processLinks: false,
} as const;

export type AiFeature = keyof typeof aiFeatureDefaults;

export const aiFeatures = Object.keys(aiFeatureDefaults) as readonly AiFeature[];

const featureFields = {
  categorization: t.boolean,
  summaries: t.boolean,
  prioritization: t.boolean,
  enhancedFiltering: t.boolean,
  contentRules: t.boolean,
  processAttachments: t.boolean,
  processLinks: t.boolean,
};

/** The features that are on; those that a server leaves out have their defaults. */
export const AiFeatures = completed(t.type(featureFields), (given) => ({ ...aiFeatureDefaults, ...given }));
export type AiFeatures = t.TypeOf<typeof AiFeatures>;

/** A change of some features; unknown names are dropped. */
export const AiFeaturesChange = t.exact(t.partial(featureFields));
export type AiFeaturesChange = t.TypeOf<typeof AiFeaturesChange>;

/** Completes the given features with the defaults. */
export const withDefaultFeatures = (features: AiFeaturesChange): AiFeatures => ({
  ...aiFeatureDefaults,
  ...features,
});
