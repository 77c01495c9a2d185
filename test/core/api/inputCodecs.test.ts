import { expect } from "chai";
import fc from "fast-check";
import type * as t from "io-ts";
import {
  CardNumber,
  Code,
  freeText,
  Password,
  PersonName,
  Phone,
  WebAddress,
} from "../../../core/api/inputCodecs.ts";

const messageFor = (codec: t.Type<string, string, unknown>, typed: unknown): string | null => {
  const decoded = codec.decode(typed);
  return decoded._tag === "Left" ? (decoded.left.at(-1)?.message ?? "no sentence") : null;
};
const all = (codec: t.Type<string, string, unknown>, typed: readonly unknown[]) =>
  typed.map((one) => messageFor(codec, one));
const none = (count: number): null[] => Array(count).fill(null);

describe("The general validator", () => {
  it("requires a password of 8 characters with lower case, upper case, a digit and a special character", () => {
    expect(messageFor(Password, "aB3$efgh")).to.equal(null);
    expect(messageFor(Password, "aB3$efg")).to.equal("Password must be at least 8 characters");
    expect(messageFor(Password, "AB3$EFGH")).to.equal("Password must contain a lowercase letter");
    expect(messageFor(Password, "ab3$efgh")).to.equal("Password must contain an uppercase letter");
    expect(messageFor(Password, "aBc$efgh")).to.equal("Password must contain a number");
    expect(messageFor(Password, "aB3defgh")).to.equal("Password must contain a special character");
  });

  it("keeps a password as it was typed", () => {
    expect(Password.decode(" aB3$efgh ")).to.deep.include({ right: " aB3$efgh " });
  });

  it("accepts a name of at most 100 characters", () => {
    expect(all(PersonName, ["Ada", "Zoë O'Brien-Smith", "a".repeat(100)])).to.deep.equal(none(3));
    expect(messageFor(PersonName, "a".repeat(101))).to.equal("Name must be 100 characters or less");
    expect(messageFor(PersonName, "  ")).to.equal("Name is required");
  });

  it("requires a phone number", () => {
    expect(all(Phone, ["+44 20 7946 0958", "(020) 7946-0958", "1234567"])).to.deep.equal(none(3));
    for (const wrong of ["123456", "1".repeat(16), "+", "call me", "+44 20 7946 0958 ext 3"])
      expect(messageFor(Phone, wrong), wrong).to.equal("Enter a valid phone number");
  });

  it("requires a URL", () => {
    const right = [
      "https://example.org",
      "http://localhost:3000/a?b=c#d",
      "https://письмо.рф/",
      "https://a-b.example",
    ];
    expect(all(WebAddress, right)).to.deep.equal(none(4));
    for (const wrong of [
      "example.org",
      "ftp://example.org",
      "javascript:alert(1)",
      "https://",
      "https://a b",
      "https://-a",
    ])
      expect(messageFor(WebAddress, wrong), wrong).to.equal("Enter a valid URL, such as https://example.org");
  });

  it("requires a card number of 13 to 19 digits that passes the Luhn check", () => {
    const right = ["4242 4242 4242 4242", "4222222222222", "378282246310005", "6304000000000000000"];
    expect(all(CardNumber, right)).to.deep.equal(none(4));
    for (const wrong of ["4242 4242 4242 4241", "424242424240", "4".repeat(20), "4242-4242-4242-424a", ""])
      expect(messageFor(CardNumber, wrong), wrong).to.equal("Enter a valid card number");
  });

  it("detects every card number with one mistyped digit, and most with two swapped neighbors", () => {
    const digits = "4242424242424242";
    fc.assert(
      fc.property(fc.nat(15), fc.integer({ min: 1, max: 9 }), (place, by) => {
        const other = String((Number(digits[place]) + by) % 10);
        expect(messageFor(CardNumber, digits.slice(0, place) + other + digits.slice(place + 1))).to.not.equal(
          null,
        );
      }),
    );
    expect(messageFor(CardNumber, "2442424242424242")).to.not.equal(null);
  });

  it("requires a code of 6 digits", () => {
    expect(messageFor(Code, "012345")).to.equal(null);
    expect(all(Code, ["12345", "1234567", "12345x"])).to.deep.equal(Array(3).fill("Code must be 6 digits"));
  });

  it("accepts text of at most 1000 characters, without HTML unless that is allowed", () => {
    expect(all(freeText(), ["", "a".repeat(1_000), "1 < 2 and 3 > 2", "I <3 you"])).to.deep.equal(none(4));
    expect(messageFor(freeText(), "a".repeat(1_001))).to.equal("Text must be 1000 characters or less");
    expect(all(freeText(), ["<b>", "</b>", "a<!-- b", "<img src=x onerror=y>", "<?php"])).to.deep.equal(
      Array(5).fill("Text must not contain HTML"),
    );
    expect(messageFor(freeText({ allowsHtml: true, longest: 10 }), "<b>bold</b>")).to.equal(
      "Text must be 10 characters or less",
    );
    expect(messageFor(freeText({ allowsHtml: true }), "<b>bold</b>")).to.equal(null);
  });

  it("has a message for any value that is not text", () => {
    for (const codec of [Password, PersonName, Phone, WebAddress, CardNumber, Code, freeText()])
      for (const typed of [undefined, null, 7, {}, []]) expect(messageFor(codec, typed)).to.be.a("string");
  });
});
