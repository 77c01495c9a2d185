import { expect } from "chai";
import { AiFeatures, withDefaultFeatures } from "../../../core/contentAccess/aiFeature.ts";
import {
  ContentAccessAnswer,
  contentAccessFallback,
  mayAccessContent,
} from "../../../core/contentAccess/contentAccessEndpoints.ts";
import { tiers } from "../../../core/tiers/tier.ts";

describe("Access to content", () => {
  it("requires Pro or a tier above it", () => {
    expect(tiers.filter(mayAccessContent)).to.deep.equal(["pro", "pro_premium", "business", "self_hosted"]);
  });

  it("is shown as granted, with two features, where its request was canceled", () => {
    expect(contentAccessFallback).to.deep.equal({
      contentAccessEnabled: true,
      contentAccessAcknowledged: true,
      features: { smartFiltering: true, contentCategorization: true },
    });
    expect(ContentAccessAnswer.is(contentAccessFallback)).to.equal(true);
  });

  it("defaults to categorization and enhanced filtering alone", () => {
    const features = withDefaultFeatures({});
    expect(AiFeatures.is(features)).to.equal(true);
    expect(Object.entries(features).flatMap(([name, on]) => (on ? [name] : []))).to.deep.equal([
      "categorization",
      "enhancedFiltering",
    ]);
    expect(withDefaultFeatures({ summaries: true, categorization: false })).to.deep.include({
      summaries: true,
      categorization: false,
    });
  });
});
