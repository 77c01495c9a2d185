import { expect } from "chai";
import { foldCase, requiredText } from "../../../adapters/re2/requiredText.ts";

describe("The text that every match of a regular expression contains", () => {
  const cases: readonly (readonly [pattern: string, required: string | null])[] = [
    ["invoice\\s+no\\.?\\s*\\d{4}", "invoice"],
    ["^Your ORDER \\d+$", "your order "],
    ["shops?@example\\.com", "@example.com"],
    ["orders{2}", "order"],
    ["orders+ x", "order"],
    ["(spam|ham)mer", "mer"],
    ["(junk)*(?:spam)", null],
    ["spam|ham", null],
    ["(spam)?", null],
    ["[a-z]{3}spam[]abc]", "spam"],
    ["\\pLetter", null],
    ["\\x{41}bcd", null],
    ["(?s)begin.*end", null],
    ["zürich", "rich"],
    ["ab", null],
    ["a{bcd", null],
  ];
  for (const [pattern, required] of cases)
    it(`is ${JSON.stringify(required)} for ${pattern}`, () => {
      expect(requiredText(pattern)).to.equal(required);
    });

  it("is looked for in letters that RE2 takes for the same", () => {
    expect(foldCase("\u212aIO\u017f\u212a")).to.equal("kiosk");
  });
});
