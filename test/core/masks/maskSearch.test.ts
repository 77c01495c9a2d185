import { expect } from "chai";
import fc from "fast-check";
import { searchMasks, shownMatches } from "../../../core/masks/maskSearch.ts";
import { createMask } from "../../fakes/productServer.ts";

const all = [
  createMask("a", {
    description: "Café Übersee",
    forwardTo: "home@example.org",
    madeFor: "cafe.example",
    labels: ["shops", "old shops"],
    created: "2026-01-31T10:00:00.000Z",
    lastMailAt: 5,
  }),
  createMask("b", {
    description: "Bank: statements",
    forwardTo: "work@example.net",
    active: false,
    note: "Ask Zoë",
    labels: ["Old"],
    created: "2026-02-01T00:00:00.000Z",
    senders: { mode: "listed", allow: ["@bank.example"], block: ["spam@shop.example"] },
  }),
  createMask("c", {
    description: "Newsletter",
    pinned: true,
    destinationStatus: "awaiting-confirmation",
    settings: { rules: [{ id: "r" }] },
    created: "2026-03-01T00:00:00.000Z",
  }),
];

const found = (search: string): string =>
  searchMasks(all, search)
    .map(({ id }) => id)
    .join("");

describe("A search of masks", () => {
  it("ignores case and accents, and looks for words in any order", () => {
    expect(found("cafe UBERSEE")).to.equal("a");
    expect(found("zoe")).to.equal("b");
    expect(found('"bank: stat"')).to.equal("b");
    expect(found("")).to.equal("abc");
  });

  it("looks at one thing with a field", () => {
    expect(found("to:example.org")).to.equal("ac");
    expect(found("to:work")).to.equal("b");
    expect(found("label:old")).to.equal("ab");
    expect(found('label:"old"')).to.equal("b");
    expect(found('label:"old sh')).to.equal("a");
    expect(found("from:bank.example")).to.equal("b");
    expect(found("from:shop.example")).to.equal("b");
    expect(found("note:zoë")).to.equal("b");
    expect(found("site:cafe.example")).to.equal("a");
    expect(found("site:bank")).to.equal("");
    expect(found("is:off")).to.equal("b");
    expect(found("is:on")).to.equal("ac");
    expect(found("is:pinned")).to.equal("c");
    expect(found("is:waiting")).to.equal("c");
    expect(found("is:unused")).to.equal("bc");
    expect(found("has:rules")).to.equal("c");
    expect(found("has:label")).to.equal("ab");
    expect(found("before:2026-02-01")).to.equal("a");
    expect(found("after:2026-02-01")).to.equal("bc");
    expect(found("after:2026-02-01 is:on")).to.equal("c");
  });

  it("finds nothing for a day or a state that does not exist, and words for an unknown field", () => {
    expect(found("before:soon")).to.equal("");
    expect(found("is:purple")).to.equal("");
    expect(found("shop:statements")).to.equal("");
  });

  it("leaves out with a minus", () => {
    expect(found("-is:off")).to.equal("ac");
    expect(found("-cafe -newsletter")).to.equal("b");
    expect(found("-label:shops")).to.equal("bc");
  });

  it("says which texts to mark: not those of other fields, nor what is left out", () => {
    expect(shownMatches('Café label:"old shops" is:on -bank to:home before:2026')).to.deep.equal([
      "cafe",
      "old shops",
      "home",
    ]);
  });

  it("never finds a mask with and without the same word", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 1 }), (text) => {
        const word = text.replace(/[\s":-]/g, "");
        fc.pre(word !== "");
        const both = [...found(word), ...found(`-${word}`)];
        expect(new Set(both).size).to.equal(both.length);
      }),
    );
  });
});
