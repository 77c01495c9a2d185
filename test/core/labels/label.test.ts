import { expect } from "chai";
import { Labels, labelsOf, parseLabels } from "../../../core/labels/label.ts";
import { toMaskPage } from "../../../core/masks/maskList.ts";
import { defaultMaskQuery } from "../../../core/masks/maskQuery.ts";
import { labelSearch } from "../../../core/masks/maskSearch.ts";
import { createMask } from "../../fakes/productServer.ts";

const masks = [
  createMask("a", { labels: ["Shops"], note: "Loyalty card 12" }),
  createMask("b", { labels: ["old shops"], pinned: true }),
  createMask("c", { description: "Workshops" }),
];
const found = (search: string): readonly string[] =>
  toMaskPage(masks, { ...defaultMaskQuery, search }).items.map(({ id }) => id);

describe("The labels of masks", () => {
  it("are separated by commas, and each counts once in any case and with any accents", () => {
    expect(parseLabels(" shops, , Café ")).to.deep.equal(["shops", "Café"]);
    const decoded = Labels.decode(["Café", "shops", "CAFE"]);
    expect(decoded).to.have.property("right").that.deep.equals(["Café", "shops"]);
    expect(labelsOf(masks)).to.deep.equal(["old shops", "Shops"]);
  });

  it("are at most 20, of 40 characters each, and each error says what to do", () => {
    const message = (u: unknown): unknown => Labels.decode(u);
    expect(message(Array.from({ length: 21 }, (_, n) => `l${n}`))).to.have.nested.property(
      "left[0].message",
      "A mask can have at most 20 labels. Remove one to add another.",
    );
    expect(message(["x".repeat(41)])).to.have.nested.property(
      "left[0].message",
      "A label can have at most 40 characters",
    );
  });

  it("are searched alone with label:, and together with notes otherwise", () => {
    expect(found("shops")).to.deep.equal(["b", "a", "c"]);
    expect(found("label:shops")).to.deep.equal(["a"]);
    expect(found(labelSearch("old shops"))).to.deep.equal(["b"]);
    expect(found("loyalty")).to.deep.equal(["a"]);
  });

  it("do not change that pinned masks come first", () => {
    expect(found("")).to.deep.equal(["b", "a", "c"]);
  });
});
