import { expect } from "chai";
import fc from "fast-check";
import { plans } from "../../../core/tiers/plan.ts";
import { labelOf, limitsOf, mayChoosePrefix, parseTier, tiers } from "../../../core/tiers/tier.ts";

describe("Tiers", () => {
  it("are in order, with their limits and labels", () => {
    const table = tiers.map((tier) => {
      const { masks, emailsPerMonth, storage, history } = limitsOf[tier];
      return [labelOf[tier], masks, emailsPerMonth, storage, history];
    });
    expect(table).to.deep.equal([
      ["Free", 2, 100, "1MB", "7 days"],
      ["Basic", 10, 500, "5MB", "30 days"],
      ["Pro", 25, 2_000, "20MB", "1 year"],
      ["Pro Premium", null, 5_000, "50MB", "2 years"],
      ["Business", null, 5_000, "100MB", "unlimited"],
      ["Self-hosted", null, null, "10GB", "unlimited"],
    ]);
  });

  it("are recognized in any case; every other name means free", () => {
    expect(parseTier("PRO_Premium")).to.equal("pro_premium");
    expect([parseTier("gold"), parseTier(""), parseTier(null), parseTier("constructor")]).to.deep.equal(
      Array(4).fill("free"),
    );
    fc.assert(
      fc.property(fc.string(), (name) => {
        expect(tiers).to.include(parseTier(name));
      }),
    );
  });

  it("let pro_premium in any case and self-hosted users choose a prefix", () => {
    expect(tiers.filter(mayChoosePrefix)).to.deep.equal(["pro_premium", "self_hosted"]);
    expect(mayChoosePrefix("Pro_Premium")).to.equal(true);
  });

  it("are sold as four plans", () => {
    expect(
      plans.map(({ name, price, masks, emailsPerMonth }) => [name, price, masks, emailsPerMonth]),
    ).to.deep.equal([
      ["Free", 0, 2, 100],
      ["Basic", 2.99, 10, 500],
      ["Pro", 6.99, 25, 2_000],
      ["Premium", 12.99, null, 5_000],
    ]);
    expect(plans.at(-1)?.tier).to.equal("pro_premium");
  });
});
