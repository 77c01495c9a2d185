import { expect } from "chai";
import fc from "fast-check";
import { normalizeText } from "../../../../core/rules/engine/facts.ts";

const caseless = (text: string): readonly string[] => [
  text,
  text.toUpperCase(),
  text.toLowerCase(),
  text.normalize("NFC"),
  text.normalize("NFD"),
  normalizeText(text),
];

describe("Normalized text that rules compare", () => {
  it("is the same for every letter of Unicode in every case and normalization form", () => {
    for (let code = 0; code < 0x110000; code += 1) {
      if (code >= 0xd800 && code < 0xe000) continue;
      const forms = new Set(caseless(String.fromCodePoint(code)).map(normalizeText));
      if (forms.size !== 1) expect([...forms], `U+${code.toString(16)}`).to.have.length(1);
    }
  });

  it("is the same for any text in every case and normalization form", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        expect(new Set(caseless(text).map(normalizeText)).size).to.equal(1);
      }),
      { numRuns: 2_000 },
    );
  });

  it("is only lowercased where it is ASCII", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary-ascii" }), (text) => {
        expect(normalizeText(text)).to.equal(text.toLowerCase());
      }),
    );
  });
});
