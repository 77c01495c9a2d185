import * as t from "io-ts";

/** The seven things a user may let the server do with content, with what they begin with (SG5). */
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

const bools = {
  categorization: t.boolean,
  summaries: t.boolean,
  prioritization: t.boolean,
  enhancedFiltering: t.boolean,
  contentRules: t.boolean,
  processAttachments: t.boolean,
  processLinks: t.boolean,
};

/** Which of them are switched on. */
export const AiFeatures = t.type(bools);
export type AiFeatures = t.TypeOf<typeof AiFeatures>;

/** A change of some of them; a name nobody knows is left out. */
export const AiFeaturesChange = t.exact(t.partial(bools));
export type AiFeaturesChange = t.TypeOf<typeof AiFeaturesChange>;

/** What is said in part, the rest as it begins. */
export const aiFeaturesOf = (known: AiFeaturesChange): AiFeatures => ({ ...aiFeatureDefaults, ...known });
