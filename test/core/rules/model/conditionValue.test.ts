import { expect } from "chai";
import fc from "fast-check";
import { joinWithCommas, splitAtCommas } from "../../../../core/rules/model/conditionValue.ts";
import { anyWords } from "../anyRule.ts";

describe("Text with commas", () => {
  it("becomes a list, without white space around its entries and without empty ones", () => {
    expect(splitAtCommas("flash sale,  50% off ,, today only,")).to.deep.equal([
      "flash sale",
      "50% off",
      "today only",
    ]);
    expect(splitAtCommas(" , ,")).to.deep.equal([]);
    expect(splitAtCommas("")).to.deep.equal([]);
  });

  it("keeps a comma inside double quotes", () => {
    expect(splitAtCommas('"Paris, London", Rome')).to.deep.equal(["Paris, London", "Rome"]);
    expect(splitAtCommas('say "hi", bye')).to.deep.equal(['say "hi"', "bye"]);
    expect(splitAtCommas('"never closed, so split')).to.deep.equal(['"never closed', "so split"]);
  });

  it("round-trips from any list", () => {
    fc.assert(
      fc.property(fc.array(anyWords), (entries) => {
        expect(splitAtCommas(joinWithCommas(entries))).to.deep.equal(entries);
      }),
      { numRuns: 1_000 },
    );
  });

  it("never yields an empty entry, nor one with surrounding white space that was not quoted", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        for (const entry of splitAtCommas(text)) {
          expect(entry.trim()).not.to.equal("");
          if (!text.includes('"')) expect(entry).to.equal(entry.trim());
        }
      }),
    );
  });
});
