import { parseTier, type Tier } from "./tier.ts";

/** The features of a plan, by their names in the feature matrix. */
export type Feature =
  | "encryption"
  | "smartFiltering"
  | "contentCategorization"
  | "prioritySupport"
  | "suggestionGeneration"
  | "customMaskNames"
  | "unlimitedMasks";

const basic: readonly Feature[] = ["encryption", "smartFiltering"];
const pro: readonly Feature[] = [...basic, "contentCategorization", "prioritySupport"];
const all: readonly Feature[] = [...pro, "suggestionGeneration", "customMaskNames", "unlimitedMasks"];

/** The feature matrix (AC5). Choosing a mask's prefix is limited further by `mayChoosePrefix`. */
export const featuresOf: Readonly<Record<Tier, readonly Feature[]>> = {
  free: ["encryption"],
  basic,
  pro,
  pro_premium: all,
  business: all,
  self_hosted: all,
};

/** True if a tier includes a feature; an unknown tier counts as free. */
export const includesFeature = (tier: string, feature: Feature): boolean =>
  featuresOf[parseTier(tier)].includes(feature);
