import { expect } from "chai";
import { answeredMailboxes } from "../../../server/mime/answeredMailboxes.ts";
import { readHeaderBlock } from "../../../server/mime/headerBlock.ts";
import { mailboxesIn } from "../../../server/mime/mailFields.ts";

const mailWith = (value: string) => {
  const content = Buffer.from(`Reply-To: ${value}\r\n\r\n`);
  return { content, header: readHeaderBlock(content) ?? expect.fail("no header") };
};

const answered = (value: string): readonly string[] =>
  answeredMailboxes(mailWith(value), "reply-to").map(({ address }) => address);

describe("The addresses that an answer goes to", () => {
  it("never consist of words that a comment or a control character separates (RFC 5322, 3.2.2)", () => {
    for (const value of [
      "bank@good.test(x)evil.test",
      "bank@good.test(x)(y)evil.test",
      "bank@good.test (x)evil.test",
      "bank@good.test(x) (y)evil.test",
      "bank@good.test()evil.test",
      "bank@good.test(x(y)z)evil.test",
      "bank(x)er@good.test",
      "<bank@good.test(x)evil.test>",
      "g: bank@good.test(x)evil.test;",
      "bank@good.test\u0001evil.test",
      "=?utf-8?q?bank=40good.test(x)evil.test?=",
    ])
      expect(answered(value), value).to.deep.equal([]);
    expect(answered("a@b.test, bank@good.test(x)evil.test, c@d.test")).to.deep.equal([
      "a@b.test",
      "c@d.test",
    ]);
  });

  it("are read beside comments where the standard has them", () => {
    for (const value of [
      "bank@good.test",
      "bank@good.test(Bank)",
      "bank@good.test (Bank)",
      "(Bank)bank@good.test",
      "(a)(b) bank@good.test (c)",
      "bank(x)@good.test",
      "bank@(x)good.test",
      "bank@good.(x)test",
      "The (old) Bank <bank@good.test>",
      '"The(old)Bank" <bank@good.test>',
      '"\\" (x" <bank@good.test>',
    ])
      expect(answered(value), value).to.deep.equal(["bank@good.test"]);
  });

  it("are the same for recipients of what an owner writes", () => {
    const of = (value: string) => mailboxesIn(mailWith(value), "reply-to").map(({ address }) => address);
    expect(of("a@b.test(x)c.test, d@e.test (D)")).to.include("d@e.test").and.not.to.include("a@b.testc.test");
  });
});
