import { expect } from "chai";
import fc from "fast-check";
import { passphraseBits, strengthOf } from "../../../core/encryption/passphrase.ts";

describe("The strength of a passphrase", () => {
  for (const passphrase of [
    "",
    "password",
    "Password1",
    "password1password1password1password1",
    "qwertyqwertyqwerty",
    "aaaaaaaaaaaaaaaaaaaaaaaa",
    "123456789012345678",
    "abcdefghijklmnop",
    "Bauta2026!",
    "correct horse",
    "summer 2026",
    "                        ",
    "correct horse battery staple",
    "Correct-Horse-Battery-Staple!",
    "correcthorsebatterystaple",
    "CorrectHorseBatteryStaple1",
    "c0rrect h0rse battery staple",
    "horse battery staple",
    "to be or not to be, that is the question",
    "TheQuickBrownFoxJumpsOverTheLazyDog",
    "may the force be with you",
    "one two three four five six seven",
    "P@ssw0rd! Passw0rd?",
    "dragon monkey sunshine 1234 letmein",
  ])
    it(`rates "${passphrase}" as too easy`, () => {
      expect(strengthOf(passphrase)).to.equal("too-weak");
    });

  it("rates four words as fair and six as strong", () => {
    expect(strengthOf("velvet anchor pickle thunder")).to.equal("fair");
    expect(strengthOf("seven quiet boats leave at noon")).to.equal("strong");
  });

  it("rates 16 random characters as strong", () => {
    expect(strengthOf("k9#Vq2!xLw7$Zp4m")).to.equal("strong");
  });

  it("never rises when a part is left out", () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-z]{3,9}$/), { minLength: 1, maxLength: 8 }), (words) => {
        expect(passphraseBits(words.slice(1).join(" "))).to.be.at.most(passphraseBits(words.join(" ")));
      }),
    );
  });

  it("hardly rises with a repeated word", () => {
    const once = passphraseBits("lantern");
    expect(passphraseBits("lantern lantern lantern") - once).to.be.lessThan(5);
  });
});
