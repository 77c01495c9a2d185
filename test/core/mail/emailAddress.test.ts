import { expect } from "chai";
import fc from "fast-check";
import { emailAddress, isEmailAddress, mailboxKey } from "../../../core/mail/emailAddress.ts";
import { SignInEmail } from "../../../core/session/sessionEndpoints.ts";
import { onInputs } from "../../support/corpora.ts";
import { expectLinear } from "../../support/linearTime.ts";

const accepts = (address: string): boolean => SignInEmail.decode(address)._tag === "Right";

describe("An e-mail address", () => {
  it("is required and must be well formed", () => {
    const codec = emailAddress({ required: "required", invalid: "invalid" });
    const messageFor = (typed: unknown): string | undefined => {
      const decoded = codec.decode(typed);
      return decoded._tag === "Left" ? decoded.left.at(-1)?.message : undefined;
    };
    for (const nothing of ["", "  ", "\t", null, undefined, 7, [], {}])
      expect(messageFor(nothing)).to.equal("required");
    for (const broken of [
      "ada",
      "ada@",
      "@example.org",
      "a b@example.org",
      "ada@exa mple.org",
      "ada@example..org",
    ])
      expect(messageFor(broken), broken).to.equal("invalid");
  });

  it("is trimmed of white space, no-break and ideographic spaces included", () => {
    for (const blank of [" ", "\t", "\u00a0", "\u202f", "\u3000", " \u00a0 "])
      expect(
        emailAddress({ required: "r", invalid: "i" }).decode(`${blank}joe@example.org${blank}`),
      ).to.have.property("right", "joe@example.org");
  });

  it("has a domain with a dot, or the domain localhost", () => {
    const codec = emailAddress({ required: "r", invalid: "i" });
    for (const [address, isTaken] of [
      ["joe@example", false],
      ["joe@org", false],
      ["joe@localhost", true],
      ["joe@LOCALHOST", true],
      ["joe@home.lan", true],
    ] as const)
      expect(codec.decode(address)._tag, address).to.equal(isTaken ? "Right" : "Left");
  });

  it("may contain the characters of people's names", () => {
    for (const address of [
      "o'brien@example.org",
      "müller@möller.example",
      "инфо@письмо.рф",
      "a+b@example.org",
    ])
      expect(accepts(address), address).to.equal(true);
  });

  it("is at most 64 octets before the @ and 254 in all", () => {
    const domain = `${"d".repeat(60)}.${"d".repeat(60)}.${"d".repeat(60)}.example`;
    expect(accepts(`${"a".repeat(64)}@example.org`)).to.equal(true);
    expect(accepts(`${"a".repeat(65)}@example.org`)).to.equal(false);
    expect(accepts(`${"ä".repeat(33)}@example.org`)).to.equal(false);
    expect(accepts(`${"a".repeat(254 - domain.length - 1)}@${domain}`)).to.equal(true);
    expect(accepts(`${"a".repeat(255 - domain.length - 1)}@${domain}`)).to.equal(false);
  });

  it("never contains a line break, a control character or half a surrogate pair, and is checked in linear time", () => {
    const bad = fc.constantFrom("\r", "\n", "\u0000", "\u007f", "\u2028", "\ud800", " ", "\u00a0");
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), bad, fc.nat(), (text, character, at) => {
        const place = at % (text.length + 1);
        const spoiled = `a${text.slice(0, place)}${character}${text.slice(place)}@example.org`;
        expect(isEmailAddress(spoiled)).to.equal(false);
      }),
    );
    expectLinear("a. @ a-", 50_000, (times) => {
      isEmailAddress(`${"a.".repeat(times)}@${"a-".repeat(times)}`);
    });
  });

  it("is the same mailbox in any case and any Unicode form of its accents", () => {
    expect(mailboxKey("Zoe\u0308@Example.org")).to.equal(mailboxKey("zo\u00eb@example.ORG"));
  });

  it("receives mail in the normalized form by which its owner is identified", () => {
    // The Kelvin sign differs from the letter k but normalizes to the same mailbox: its mail must go to k.
    const decoded = SignInEmail.decode("\u212aate@example.org");
    expect(decoded).to.have.property("right", "Kate@example.org");
    expect(SignInEmail.decode("zoe\u0308@example.org")).to.have.property("right", "zo\u00eb@example.org");
    for (let point = 0x80; point <= 0x10ffff; point++) {
      const character = String.fromCodePoint(point);
      const written = SignInEmail.decode(`a${character}b@example.org`);
      if (written._tag === "Right" && /^[\x00-\x7f]*$/.test(mailboxKey(written.right)))
        expect(written.right, point.toString(16)).to.match(/^[\x00-\x7f]*$/);
    }
  });

  onInputs(["categorizedAddresses"], ({ areSamples, json }) => {
    interface Categorized {
      readonly address: string;
      readonly category: string | null;
    }

    it("is refused where its category is an error", () => {
      const cases = json<readonly Categorized[]>("categorizedAddresses").flat();
      const errors = cases.filter(({ category }) => category === "ISEMAIL_ERR");
      expect(errors.length).to.be.greaterThan(areSamples ? 20 : 50);
      expect(errors.filter(({ address }) => accepts(address)).map(({ address }) => address)).to.deep.equal(
        [],
      );
    });

    it("is accepted where its category is valid and the domain has a dot", () => {
      const cases = json<readonly Categorized[]>("categorizedAddresses").flat();
      const valid = cases.filter(
        ({ address, category }) =>
          address.split("@").at(-1)?.includes(".") &&
          (category === "ISEMAIL_VALID_CATEGORY" || category === "ISEMAIL_DNSWARN"),
      );
      expect(valid.length).to.be.greaterThan(areSamples ? 10 : 20);
      expect(valid.filter(({ address }) => !accepts(address)).map(({ address }) => address)).to.deep.equal(
        [],
      );
    });
  });

  onInputs(["judgedAddresses"], ({ areSamples, json }) => {
    it("is refused where other validators refuse it", () => {
      const invalid = json<{ readonly invalid: readonly string[] }>("judgedAddresses").flatMap(
        (judged) => judged.invalid,
      );
      expect(invalid.length).to.be.greaterThan(areSamples ? 10 : 20);
      expect(invalid.filter(accepts)).to.deep.equal([]);
    });
  });
});
