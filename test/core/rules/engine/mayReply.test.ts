import { expect } from "chai";
import type { ParsedMail } from "../../../../core/mail/parsedMail.ts";
import { markSubject } from "../../../../core/rules/engine/applyActions.ts";
import { findReplyObstacle } from "../../../../core/rules/engine/mayReply.ts";
import { expectLinear } from "../../../support/linearTime.ts";

const mask = {
  maskEmail: "Shop@masks.example",
  labels: [],
  forwardTo: "ada@example.org",
  lastMailAt: null,
  receivedThisMonth: 0,
  received: 0,
  forwarded: 0,
};
const account = { confirmed: ["ada.second@example.org"], ownDomains: ["masks.example"] };
const personal: ParsedMail = {
  from: { name: "", address: "bob@example.net" },
  to: ["shop@masks.example"],
  subject: "",
  headers: [],
  text: null,
  htmlText: null,
  isTextCut: false,
  attachments: [],
};
const why = (
  address: string,
  headers: Readonly<Record<string, string>> = {},
  to = ["shop@masks.example"],
) => {
  const message: ParsedMail = {
    ...personal,
    from: { name: "", address },
    to,
    headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
  };
  return findReplyObstacle(message, mask, account);
};

describe("An automatic answer", () => {
  it("is sent to a person who wrote to the mask", () => {
    expect(why("bob@example.net")).to.equal(null);
    expect(why("bob@example.net", { "auto-submitted": "no" })).to.equal(null);
    expect(why("noreen@example.net")).to.equal(null);
    expect(why("reply@example.net")).to.equal(null);
    expect(why("bob@example.net", { "return-path": "<bob@example.net>" })).to.equal(null);
  });

  it("ignores header names that JavaScript objects inherit", () => {
    for (const name of ["__proto__", "constructor", "valueof", "toString"])
      expect(
        findReplyObstacle({ ...personal, headers: [{ name, value: "x" }] }, mask, account),
        name,
      ).to.equal(null);
  });

  it("is never sent to lists, bulk mail and machines (RFC 3834)", () => {
    const machines: readonly Readonly<Record<string, string>>[] = [
      { "auto-submitted": "auto-generated" },
      { "auto-submitted": "auto-replied; x=y" },
      { precedence: "bulk" },
      { precedence: "List" },
      { precedence: "junk" },
      { "list-id": "<a.example.org>" },
      { "list-unsubscribe": "<https://example.org>" },
      { "x-auto-response-suppress": "OOF, AutoReply" },
      { "return-path": "<>" },
      { "content-type": "multipart/report; report-type=delivery-status" },
      { "feedback-id": "1:2:3" },
    ];
    for (const headers of machines)
      expect(why("bob@example.net", headers), JSON.stringify(headers)).to.equal("machine");
  });

  it("is never sent to no-reply mailboxes", () => {
    const names =
      "mailer-daemon postmaster no-reply noreply do-not-reply donotreply news-noreply no_reply noreply+17 owner-list list-request list-bounces bounce-77 bounces";
    for (const name of names.split(" ")) expect(why(`${name}@example.net`), name).to.equal("machine");
  });

  it("is never sent to the owner, to a mask, to an empty sender, or for a mail that does not name the mask", () => {
    expect(why("ADA@example.org")).to.equal("own-address");
    expect(why("ada.second@example.org")).to.equal("own-address");
    expect(why("other@MASKS.example")).to.equal("own-address");
    expect(why("")).to.equal("no-sender");
    expect(why("bob@example.net", {}, ["list@example.net"])).to.equal("not-addressed");
  });

  it("is decided in linear time for a sender crafted to be slow", () => {
    for (const part of ["no-", "-", "a-", "no-reply-", "bounce-"])
      expectLinear(part, 20_000, (times) => {
        why(`${part.repeat(times)}@example.net`);
      });
  });
});

describe("The subject of a forwarded mail", () => {
  it("begins with prefixes and tags, each once", () => {
    expect(markSubject("Hello", ["Shop:"], ["A", "B", "A"])).to.equal("Shop: [A] [B] Hello");
    expect(markSubject("", [], ["A"])).to.equal("[A]");
  });

  it("does not change when nothing is added, or every addition is there already", () => {
    expect(markSubject("Hello", [], [])).to.equal(null);
    expect(markSubject("Re: [a] SHOP: Hello", ["Shop:"], ["A"])).to.equal(null);
  });
});
