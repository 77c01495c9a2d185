import { expect } from "chai";
import fc from "fast-check";
import { toAnswerable } from "../../../core/mail/answerableAddress.ts";
import { isEmailAddress } from "../../../core/mail/emailAddress.ts";
import { ListedSender } from "../../../core/senders/maskSenders.ts";

describe("An address that mail comes from", () => {
  it("is answered whatever form its provider gave it", () => {
    for (const address of [
      "ada@example.org",
      `${"u".repeat(200)}@lists.example`,
      "foo..bar@phone.example",
      "foo.bar.@phone.example",
      ".foo@phone.example",
      '"john doe"@quoted.example',
      '"a@b"@quoted.example',
      "a@with_underscore.example",
      "a@-b.example",
      "root@[192.0.2.1]",
      "root@[IPv6:2001:db8::1]",
      "żółw..a@müller.example",
    ])
      expect(toAnswerable(address), address).to.equal(address);
    expect(toAnswerable("ada@example.org."), "the same host").to.equal("ada@example.org");
  });

  it("has one spelling where only quotes or the width of letters differ", () => {
    for (const address of [
      '"ada"@example.org',
      '"a\\d\\a"@example.org',
      "ada@ｅxample.org",
      "ada@example。org",
      '"ada"@example．org｡',
    ])
      expect(toAnswerable(address), address).to.equal("ada@example.org");
    for (const address of ['"a..da"@example.org', '"a\\@da"@example.org', '"a\\"da"@example.org'])
      expect(toAnswerable(address), address).to.equal(address);
  });

  it("cannot be answered where no mail server could take it, or a header would be misread", () => {
    for (const address of [
      "",
      "@",
      "ada",
      "ada@",
      "@example.org",
      "ada@example..org",
      "ada@.example.org",
      "ada@example.org..",
      `${"u".repeat(600)}@lists.example`,
      `ada@${"d".repeat(64)}.example`,
      "a b@example.org",
      "a,b@example.org",
      "a<b@example.org",
      '"a>b"@example.org',
      '"a\r\nb"@example.org',
      '"ab@example.org',
      "a@b@example.org",
      "a@[]",
      "a@[localhost]",
      "a@[IPv6:]",
      "a@exa mple.org",
      "a\u200bb@example.org.",
      "a\r\nBcc: b@example.org",
    ])
      expect(toAnswerable(address), address).to.equal(null);
  });

  it("can be any that may become a destination", () => {
    fc.assert(
      fc.property(fc.oneof(fc.emailAddress(), fc.string({ maxLength: 20 })), (text) => {
        if (isEmailAddress(text)) expect(toAnswerable(text)).to.equal(text);
      }),
    );
  });

  it("can be blocked, and its domain, and stays on the list when that is saved again", () => {
    for (const [typed, listed] of [
      ["Foo..Bar@phone.example", "foo..bar@phone.example"],
      ["*@with_underscore.example", "with_underscore.example"],
      ["phone.example.", "phone.example"],
      ["a@phone.example.", "a@phone.example"],
      ["root@[192.0.2.1]", "root@[192.0.2.1]"],
    ] as const)
      expect(ListedSender.decode(typed), typed).to.have.property("right", listed);
  });
});
