import { expect } from "chai";
import { labelSuggestions } from "../../../core/labels/labelSuggestions.ts";

describe("A field for several labels", () => {
  const offered = (typed: string): readonly string[] => labelSuggestions(typed, ["bills", "shops"]);

  it("offers every label while the first one is typed", () => {
    expect(offered("")).to.deep.equal(["bills", "shops"]);
    expect(offered("sho")).to.deep.equal(["bills", "shops"]);
  });

  it("offers those that it does not have after a comma, with what stands before it", () => {
    expect(offered("shops, ")).to.deep.equal(["shops, bills"]);
    expect(offered("shops, bi")).to.deep.equal(["shops, bills"]);
    expect(offered("shops, bills, x")).to.deep.equal([]);
  });
});
