import { expect } from "chai";
import { featuresOf, includesFeature } from "../../../core/tiers/feature.ts";
import { tiers } from "../../../core/tiers/tier.ts";

describe("The features of a plan", () => {
  it("are those of the feature matrix (AC5)", () => {
    const all = [
      "encryption",
      "smartFiltering",
      "contentCategorization",
      "prioritySupport",
      "suggestionGeneration",
      "customMaskNames",
      "unlimitedMasks",
    ];
    expect(featuresOf).to.deep.equal({
      free: ["encryption"],
      basic: ["encryption", "smartFiltering"],
      pro: ["encryption", "smartFiltering", "contentCategorization", "prioritySupport"],
      pro_premium: all,
      business: all,
      self_hosted: all,
    });
  });

  it("are those of the tier in any case, and of free where the tier is unknown", () => {
    expect(includesFeature("PRO", "contentCategorization")).to.equal(true);
    expect(includesFeature("gold", "smartFiltering")).to.equal(false);
    for (const tier of tiers) expect(includesFeature(tier, "encryption"), tier).to.equal(true);
  });
});
