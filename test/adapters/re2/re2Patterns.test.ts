import { expect } from "chai";
import fc from "fast-check";
import { isLeft, isRight } from "fp-ts/lib/Either.js";
import { RE2JS } from "re2js";
import { loadRe2Patterns } from "../../../adapters/re2/re2Patterns.ts";
import type { CompilePattern } from "../../../core/ports/patterns.ts";
import { onInputs } from "../../support/corpora.ts";

describe("Regular expressions of rules", () => {
  let compile: CompilePattern;
  const finds = (pattern: string, text: string): boolean => {
    const compiled = compile(pattern);
    if (isLeft(compiled)) throw new Error(`${pattern}: ${compiled.left}`);
    return compiled.right(text);
  };

  before(async () => {
    compile = await loadRe2Patterns();
  });

  it("match anywhere in the text and ignore case", () => {
    expect(finds("inv-\\d+", "Your INV-42 is here")).to.equal(true);
    expect(finds("^inv", "Your INV-42")).to.equal(false);
    expect(finds("zürich|genève", "GRÜSSE AUS ZÜRICH")).to.equal(true);
  });

  it("find in every text what the engine alone finds, in any script and case", () => {
    const piece = fc.constantFrom(
      ...[
        "shop",
        "SHOP",
        "Kiosk",
        "\u212aio\u017f\u212a",
        "ABC",
        "abc",
        "42",
        " ",
        "-",
        ".",
        "İi",
        "ß",
        "\n",
      ],
    );
    const atom = fc.constantFrom(
      ...[
        "shop",
        "kiosk",
        "abc",
        "İ",
        "ß",
        "a",
        "-",
        " ",
        "\\.",
        "\\-",
        ".",
        "\\d",
        "\\s",
        "[a-c]",
        "[]a]",
        "[^]a]",
        "[[:digit:]x]",
      ],
      ...[
        "(shop)",
        "(?:kiosk)",
        "(abc|42)",
        "\\x{61}bcd",
        "\\pLabc",
        "\\Qa.b\\E",
        "(?i:abc)",
        "^",
        "$",
        "\\b",
        "shop|kiosk",
        "{,2}",
        "a{b",
      ],
    );
    const times = fc.constantFrom("", "", "", "*", "+", "?", "{0,2}", "{2}", "{1,}", "*?", "+?");
    const pattern = fc
      .array(fc.tuple(atom, times), { minLength: 1, maxLength: 6 })
      .map((pieces) => pieces.map((each) => each.join("")).join(""));
    const text = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(""));
    const engineFinds = (expression: string, given: string): boolean =>
      RE2JS.compile(expression, RE2JS.CASE_INSENSITIVE).test(given);
    let found = 0;
    fc.assert(
      fc.property(pattern, text, (expression, given) => {
        const compiled = compile(expression);
        fc.pre(isRight(compiled));
        const isFound = compiled.right(given);
        if (isFound) found += 1;
        expect(isFound).to.equal(engineFinds(expression, given));
      }),
      { numRuns: 5_000 },
    );
    expect(found).to.be.greaterThan(500);
  });

  it("are refused with the engine's error when they do not compile", () => {
    for (const pattern of ["(", "[", "a**", "(?=x)", "(a)\\1", "a{2000}"]) {
      const compiled = compile(pattern);
      expect(isLeft(compiled) && compiled.left, pattern)
        .to.be.a("string")
        .and.not.match(/\(\?i\)|^error/);
    }
  });

  it("are refused when they could be slow on some text", () => {
    for (const pattern of ["a.{990}c", "([ab]{0,31}a){0,31}c", "(a\\w{0,30}){31}c"]) {
      const compiled = compile(pattern);
      expect(isLeft(compiled) && compiled.left, pattern).to.include("too complicated");
    }
  });

  it("give the same result as JavaScript's engine on plain words", () => {
    const word = fc.stringMatching(/^[a-z0-9 ]{0,20}$/);
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z0-9]{1,5}$/), word, (pattern, text) => {
        expect(finds(pattern, text)).to.equal(text.includes(pattern));
      }),
    );
  });
});

describe("Patterns known to block other engines", () => {
  interface Known {
    readonly pattern: string;
    readonly evil?: {
      readonly suffix: string;
      readonly pumpPairs: readonly { readonly prefix: string; readonly pump: string }[];
    } | null;
  }
  const longest = 30_000;
  const pumped = ({ evil }: Known): string => {
    const pairs = evil?.pumpPairs ?? [{ prefix: "", pump: "a" }];
    const times = Math.floor(longest / Math.max(1, pairs.map(({ pump }) => pump).join("").length));
    return (
      pairs
        .map(({ prefix, pump }) => prefix + pump.repeat(times))
        .join("")
        .slice(0, longest) + (evil?.suffix ?? "!")
    );
  };

  /** Counts how many times an engine reads a character of the text. */
  const readingsOf = (text: string, test: (text: string) => boolean): number => {
    const { charCodeAt } = String.prototype;
    let count = 0;
    String.prototype.charCodeAt = function (at) {
      count += 1;
      return charCodeAt.call(this, at);
    };
    try {
      test(text);
    } finally {
      String.prototype.charCodeAt = charCodeAt;
    }
    return count;
  };

  onInputs(["slowPatterns"], ({ areSamples, json }) => {
    it("compile or are refused, and read each character of a 30 kB mail a bounded number of times", async () => {
      const compile = await loadRe2Patterns();
      const patterns = json<readonly Known[]>("slowPatterns").flat();
      let steps = 0;
      let compiledCount = 0;
      for (const known of patterns) {
        const compiled = compile(known.pattern);
        if (!isRight(compiled)) continue;
        compiledCount += 1;
        expect(RE2JS.compile(known.pattern).programSize(), known.pattern).to.be.at.most(500);
        for (const text of [
          pumped(known),
          "a".repeat(longest),
          "ab ".repeat(longest / 3),
          `${"x".repeat(longest)}!`,
        ]) {
          steps = Math.max(steps, readingsOf(text, compiled.right) / text.length);
        }
      }
      expect(patterns.length).to.be.at.least(areSamples ? 24 : 80);
      expect(compiledCount).to.be.at.least(areSamples ? 15 : 60);
      expect(steps, "readings of a character").to.be.within(0.01, 8);
    });
  });
});
