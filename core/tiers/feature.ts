import { type Tier, tierNamed } from "./tier.ts";

/** What a plan may include, by the names of the feature matrix (A6). */
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

/** The feature matrix (A6, AC5). Who may choose a prefix is narrower: `mayChoosePrefix` (D16). */
export const featuresOf: Readonly<Record<Tier, readonly Feature[]>> = {
  free: ["encryption"],
  basic,
  pro,
  pro_premium: all,
  business: all,
};

/** Whether a plan includes a feature; an unknown tier is free. */
export const includesFeature = (tier: string, feature: Feature): boolean =>
  featuresOf[tierNamed(tier)].includes(feature);
