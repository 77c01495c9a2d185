import { domainToASCII } from "node:url";
import { expect } from "chai";
import fc from "fast-check";
import {
  domainName,
  isAtDomain,
  isDomainName,
  isWithinDomain,
  toDomainName,
} from "../../../core/mail/domainName.ts";
import { named } from "../../support/domainNames.ts";
import { invisible, spellingOf } from "../../support/spellings.ts";

/** What browsers make of a host; "" for one that they refuse. */
const byBrowser = (text: string): string => domainToASCII(text).replace(/\.$/, "");

describe("A domain", () => {
  it("is the same in capitals, in letters of another width, with another dot and with a final one", () => {
    for (const text of [
      "masks.localhost",
      "MASKS.LOCALHOST",
      "masks。localhost",
      "ｍasks.localhost",
      "𝐦asks．localhost",
      "Masks.localhost.",
      "masks.localhost。",
    ])
      expect(toDomainName(text), text).to.equal("masks.localhost");
    expect(toDomainName("Bücher.Example")).to.equal("xn--bcher-kva.example");
    expect(toDomainName("XN--BCHER-KVA.example")).to.equal("xn--bcher-kva.example");
    expect(toDomainName("BU\u0308CHER.example")).to.equal("xn--bcher-kva.example");
    expect(toDomainName("ΑΣ.example")).to.equal("xn--mxa0b.example");
    expect(toDomainName("他们为什么不说中文.example")).to.equal("xn--ihqwcrb4cv8a8dqg056pqjye.example");
  });

  it("is none with characters that nobody sees, or with parts of a web address", () => {
    for (const one of invisible)
      expect(toDomainName(`ma${one}sks.example`), JSON.stringify(one)).to.equal(null);
    for (const text of [
      "",
      ".",
      "a..b",
      ".example",
      "example..",
      "a b.example",
      "masks.example/",
      "masks.example:25",
      "masks.example?",
      "masks.example#",
      "masks.example\\",
      "me@masks.example",
      "%6dasks.example",
      "masks.example\0",
      "-a.example",
      "a-.example",
      "127.0.0.1",
      "127.1",
      "0x7f.1",
      "[::1]",
      "ⓜasks.example",
      `${"a".repeat(64)}.example`,
      `${"abcdefg.".repeat(32)}example`,
    ])
      expect(toDomainName(text), JSON.stringify(text)).to.equal(null);
  });

  it("is what browsers make of it, for every letter, digit and mark", () => {
    const wrong: string[] = [];
    for (let code = 0x21; code < 0x20_000; code++) {
      const character = String.fromCodePoint(code);
      if (!/[\p{L}\p{N}\p{M}\p{Cf}\p{P}\p{S}]/u.test(character)) continue;
      const text = `a${character}b.example`;
      const [name, expected] = [toDomainName(text), byBrowser(text)];
      // A browser also refuses what mixes directions.
      if (name !== null && expected !== "" && name !== expected) wrong.push(code.toString(16));
    }
    expect(wrong).to.deep.equal([]);
  });

  it("is what browsers make of it, or none, for any text and any spelling", () => {
    const text = fc.oneof(
      spellingOf("masks.localhost"),
      fc.string({ unit: "binary", maxLength: 12 }).map((one) => `${one}.example`),
      fc.string({ unit: fc.constantFrom(..."aZ9-.ßςΣüİıΐŉǰéａ。\u0301\u0345\u0130字كא"), maxLength: 12 }),
    );
    fc.assert(
      fc.property(text, (spelling) => {
        const name = toDomainName(spelling);
        if (name === null) return;
        const expected = byBrowser(spelling);
        if (expected !== "") expect(name).to.equal(expected);
        expect(isDomainName(name)).to.equal(true);
        expect(toDomainName(name)).to.equal(name);
      }),
      { numRuns: 3_000 },
    );
  });

  it("is decoded to its one spelling, also after an @, and encoded as it is", () => {
    const codec = domainName("No domain");
    expect(codec.decode(" @Masks.Example. ")).to.deep.equal({ _tag: "Right", right: "masks.example" });
    for (const text of ["masks", 7, null, "a_b.example"])
      expect(codec.decode(text)._tag, String(text)).to.equal(text === "masks" ? "Right" : "Left");
    expect(codec.is("MASKS.example")).to.equal(false);
  });

  it("contains its sub-domains and no longer names", () => {
    const domain = named("masks.example");
    expect(isWithinDomain(named("a.masks.example"), domain)).to.equal(true);
    expect(isWithinDomain(named("amasks.example"), domain)).to.equal(false);
    expect(isAtDomain("me@MASKS。example.", domain)).to.equal(true);
    expect(isAtDomain("me@a.masks.example", domain)).to.equal(false);
  });
});
