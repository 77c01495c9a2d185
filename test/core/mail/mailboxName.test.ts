import { expect } from "chai";
import { type MailboxKey, mailboxKey } from "../../../core/mail/emailAddress.ts";
import { isSameMailbox, type MailboxName, mailboxName } from "../../../core/mail/mailboxName.ts";

const spellings = [
  "me@bücher.example",
  "Me@BÜCHER.example",
  "me@bu\u0308cher.example",
  "me@ｂücher。example",
  "me@bücher．example.",
  "me@xn--bcher-kva.example",
  "ME@XN--BCHER-KVA.EXAMPLE",
];

describe("A mailbox", () => {
  it("has one name in every spelling of its address", () => {
    expect([...new Set(spellings.map(mailboxName))]).to.deep.equal(["me@xn--bcher-kva.example"]);
  });

  it("is another one with another local part, another domain, and at a sub-domain", () => {
    for (const other of [
      "you@bücher.example",
      "me@bucher.example",
      "me@mail.bücher.example",
      "me@bücher.examp1e",
    ])
      expect(isSameMailbox(spellings[0] ?? "", other), other).to.equal(false);
  });

  it("is not named by text that is no address, nor by a domain with characters that nobody sees", () => {
    expect(mailboxName("Nobody")).to.equal("nobody");
    expect(mailboxName("")).to.equal("");
    expect(isSameMailbox("me@b\u200bücher.example", "me@bücher.example")).to.equal(false);
  });

  it("is never plain text to the compiler, and the key of its row is no name", () => {
    const [byName, byKey] = [(name: MailboxName) => name, (key: MailboxKey) => key];
    // @ts-expect-error: text is no name.
    byName("me@example.org");
    // @ts-expect-error: text is no key.
    byKey("me@example.org");
    // @ts-expect-error: the key may be in another script.
    byName(mailboxKey("me@example.org"));
    // @ts-expect-error: they are never equal as text.
    expect(mailboxKey(spellings[0] ?? "") === mailboxName(spellings[0] ?? "")).to.equal(false);
  });
});
