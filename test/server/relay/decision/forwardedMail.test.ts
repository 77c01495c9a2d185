import { expect } from "chai";
import fc from "fast-check";
import PostalMime from "postal-mime";
import { senderOf } from "../../../../server/mime/author.ts";
import { readHeaderBlock } from "../../../../server/mime/headerBlock.ts";
import {
  type HeaderChanges,
  type ProofContext,
  prepareForwarding,
} from "../../../../server/relay/decision/forwardedMail.ts";
import { isLooping, receivedField } from "../../../../server/relay/decision/receivedField.ts";
import { originalSender } from "../../../../server/relay/receive/originalSender.ts";
import { undoForwarding } from "../receive/undo.ts";

const mask = "shop.7k2m@masks.example";

const trace = receivedField(
  {
    sender: "",
    helo: "mail.shop.example",
    remoteAddress: "192.0.2.7",
    protocol: "ESMTP",
    smtpUtf8: false,
    receivedAt: Date.UTC(2026, 10, 20, 9),
  },
  "abc",
  "masks.example",
);

const unchecked: ProofContext = { host: "masks.example", evidence: null, acceptUnproven: false };

const forward = (
  mail: string | Buffer,
  envelopeSender = "bounce@shop.example",
  marks?: HeaderChanges,
): Buffer => {
  const content = Buffer.isBuffer(mail) ? mail : Buffer.from(mail);
  const header = readHeaderBlock(content);
  if (!header) throw new Error("the header is too large");
  const sender = senderOf(originalSender(content, header));
  const write = prepareForwarding({ head: content, header, envelopeSender, sender }, trace, unchecked);
  return Buffer.concat([write(mask, marks), content.subarray(header.end)]);
};

const forwardedText = (mail: string | Buffer, envelopeSender?: string): string =>
  forward(mail, envelopeSender).toString();

const read = (mail: string | Buffer, envelopeSender?: string) =>
  PostalMime.parse(forward(mail, envelopeSender));

describe("A forwarded mail", () => {
  it("is written in the documented form, with an unchanged body", () => {
    const mail = [
      "Return-Path: <bounce@shop.example>",
      "DKIM-Signature: v=1; a=rsa-sha256; d=shop.example; h=from:to:subject;",
      "\tb=abc",
      "From: Acme Shop <orders@shop.example>",
      `To: ${mask}`,
      "Subject: Your order",
      "",
      "Hello.",
      "",
    ].join("\r\n");
    expect(forwardedText(mail).split("\r\n")).to.deep.equal([
      "Received: from mail.shop.example ([192.0.2.7])",
      " by masks.example with ESMTP id abc;",
      " Fri, 20 Nov 2026 09:00:00 +0000",
      `X-Bauta-Mask: ${mask}`,
      "Reply-To: Acme Shop <orders@shop.example>",
      'From: "Acme Shop - orders at shop.example"',
      ` <${mask}>`,
      "X-Bauta-Original-Return-Path: <bounce@shop.example>",
      "DKIM-Signature: v=1; a=rsa-sha256; d=shop.example; h=from:to:subject;",
      "\tb=abc",
      "X-Bauta-Original-From: Acme Shop <orders@shop.example>",
      `To: ${mask}`,
      "Subject: Your order",
      "",
      "Hello.",
      "",
    ]);
  });

  it("shows in its subject and in a field of its own what rules have added, and that can be undone", async () => {
    const mail = "From: a@shop.example\r\nX-Bauta-Tags: forged\r\nSubject: Your\r\n order\r\n\r\nx\r\n";
    const marks = { subject: "[shop] [Häufig] Your order", tags: ["Häufig", "one, two", "Bills"] };
    const marked = forward(mail, undefined, marks);
    expect(marked.toString().split("\r\n").slice(3)).to.deep.equal([
      `X-Bauta-Mask: ${mask}`,
      "Reply-To: a@shop.example",
      "X-Bauta-Tags: =?UTF-8?B?SMOkdWZpZw==?=,",
      " =?UTF-8?B?b25lLCB0d28=?=,",
      " Bills",
      "Subject: =?UTF-8?B?W3Nob3BdIFtIw6R1ZmlnXSBZb3VyIG9yZGVy?=",
      'From: "a at shop.example"',
      ` <${mask}>`,
      "X-Bauta-Original-From: a@shop.example",
      "X-Bauta-Original-X-Bauta-Tags: forged",
      "X-Bauta-Original-Subject: Your",
      " order",
      "",
      "x",
      "",
    ]);
    expect(undoForwarding(marked).toString()).to.equal(mail);
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", maxLength: 50 }),
        fc.string({ maxLength: 200 }),
        (tag, subject) => {
          const odd = forward(mail, undefined, { subject, tags: [tag] });
          expect(undoForwarding(odd).toString()).to.equal(mail);
          for (const line of odd.toString("latin1").split("\r\n")) expect(line.length).to.be.below(998);
        },
      ),
    );
  });

  it("is answered to the sender's Reply-To, else to the sender", async () => {
    const wanted = await read("From: a@shop.example\r\nReply-To: Help <help@shop.example>\r\n\r\nx\r\n");
    expect(wanted.replyTo).to.deep.equal([{ name: "Help", address: "help@shop.example" }]);
    const sender = await read("From: A\r\n <a@shop.example>\r\n\r\nx\r\n");
    expect(sender.replyTo).to.deep.equal([{ name: "A", address: "a@shop.example" }]);
    const silent = await read("Subject: x\r\n\r\nx\r\n", "bounce@shop.example");
    expect(silent.replyTo).to.deep.equal([{ name: "", address: "bounce@shop.example" }]);
    const nobody = await read("Subject: x\r\n\r\nx\r\n", "");
    expect(nobody.replyTo).to.equal(undefined);
  });

  it("carries no request for a receipt or a report and no second sender, which would reveal the owner of the mask", () => {
    const asked = [
      "Disposition-Notification-To: a@b.example",
      "Disposition-Notification-Options: x=required,y",
      "RETURN-RECEIPT-TO: a@b.example",
      "Return-Receipt-Requested: a@b.example",
      "Read-Receipt-To : a@b.example",
      "X-Confirm-Reading-To: a@b.example",
      "Registered-Mail-Reply-Requested-By: a@b.example",
      "X-Our-Read-Receipt: yes",
      "Generate-Delivery-Report: yes",
      "Errors-To: a@b.example",
      "CFBL-Address: a@b.example; report=arf",
      "Sender: a@b.example",
      "Author: a@b.example",
      "Bcc: a@b.example",
      "Resent-Reply-To: a@b.example",
      "Resent-From: a@b.example",
      "Downgraded-Reply-To: =?utf-8?q?a=40b=2Eexample?=",
      "X-Reply-To: a@b.example",
      "X-Report-Abuse: <mailto:a@b.example>",
      "Followup-To: a@b.example",
    ];
    const text = forwardedText(`${asked.join("\r\n")}\r\nFrom: a@b.example\r\n\r\nx\r\n`);
    for (const field of asked) expect(text).to.include(`\r\nX-Bauta-Original-${field}\r\n`);
    expect(text.match(/^From:/gm)).to.have.lengthOf(1);
  });

  it("names the mask once, whatever the sender claims in fields of this server", () => {
    const forged = ["X-Bauta-Mask: bank@masks.example", "x-bauta-sender : proven", "X-Bauta-New: x"];
    const mail = `${forged.join("\r\n")}\r\nFrom: a@b.example\r\n\r\nx\r\n`;
    const text = forwardedText(mail);
    expect(text.match(/^x-bauta-(?!original-).*/gim)).to.deep.equal([`X-Bauta-Mask: ${mask}`]);
    for (const field of forged) expect(text).to.include(`\r\nX-Bauta-Original-${field}\r\n`);
    expect(undoForwarding(Buffer.from(text)).toString()).to.equal(mail);
  });

  it("has no line in its header that a lenient program could read as a field", () => {
    const lines = ["Disposition-Notification-To", "\t: a@b.example", "not a field", "Réply-To: a@b.example"];
    const mail = `From: a@b.example\r\nSubject: s\r\n${lines.join("\r\n")}\r\n\r\nx\r\n`;
    const text = forwardedText(mail);
    expect(text).to.include("\r\nX-Bauta-Original-Disposition-Notification-To\r\n\t: a@b.example\r\n");
    expect(text).to.include("\r\nX-Bauta-Original-not a field\r\nX-Bauta-Original-Réply-To: a@b.example\r\n");
    expect(undoForwarding(Buffer.from(text)).toString()).to.equal(mail);
  });

  const fromShown = async (fields: string | Buffer, sender = ""): Promise<string | undefined> => {
    const rest = Buffer.from("\r\n\r\nx\r\n");
    const { from } = await read(Buffer.concat([Buffer.from(fields as string), rest]), sender);
    expect(from?.address).to.equal(mask);
    return from?.name;
  };

  it("shows the sender in whatever form it is written", async () => {
    const ways: readonly (readonly [string, string])[] = [
      ["From: orders@shop.example", "orders at shop.example"],
      ["From: <orders@shop.example>", "orders at shop.example"],
      ['From: "Shop, Acme" <orders@shop.example>', "Shop, Acme - orders at shop.example"],
      ["from : orders@shop.example (Acme Shop)", "Acme Shop - orders at shop.example"],
      ["From: =?utf-8?B?xbvDs8WCdw==?= <orders@shop.example>", "Żółw - orders at shop.example"],
      ["From: =?iso-8859-1?Q?J=F6rg_B=E4r?= <j@shop.example>", "Jörg Bär - j at shop.example"],
      ["From: Żółw <żółw@shop.example>", "Żółw - żółw at shop.example"],
      ["From: Shop, Acme <orders@shop.example>", "Shop, Acme - orders at shop.example"],
      ["From: Team: A <a@shop.example>;", "Team: A - a at shop.example"],
      ["From: undisclosed:;", "undisclosed"],
      ["From: Acme\r\n\tShop\r\n <orders@shop.example>", "Acme Shop - orders at shop.example"],
      ["From: nothing to see", "nothing to see"],
      ['From: "say \\"hi\\" \\\\ there" <a@shop.example>', 'say "hi" \\ there - a at shop.example'],
      ['From: "=?utf-8?Q?not_this?= kind" <a@shop.example>', "not this kind - a at shop.example"],
      [`From: ${"Long ".repeat(1_000)}<a@shop.example>`, `${"Long ".repeat(14).trim()}… - a at shop.example`],
    ];
    for (const [field, shown] of ways) expect(await fromShown(field), field).to.equal(shown);
  });

  it("uses the envelope sender when there is no From, and says so when there is neither", async () => {
    expect(await fromShown("Subject: x", "bounce@shop.example")).to.equal("bounce at shop.example");
    expect(await fromShown("Subject: x", "")).to.equal("Unknown sender");
    expect(await fromShown("From: ", "")).to.equal("Unknown sender");
  });

  it("shows bytes that are not UTF-8 as the western charset they most often are", async () => {
    expect(await fromShown(Buffer.from("From: J\xf6rg <j@shop.example>", "latin1"))).to.equal(
      "Jörg - j at shop.example",
    );
  });

  it("stays readable when it has no header, or an mbox line in front of it", async () => {
    const text = await read("Dear all,\r\n\r\nthis: is no header.\r\n", "a@b.example");
    expect(text.text).to.equal("Dear all,\n\nthis: is no header.\n");
    expect(text.from?.name).to.equal("a at b.example");
    const mbox = await read(
      "From bob@b.example Mon Jan  1 00:00:00 2026\r\nFrom: bob@b.example\r\nSubject: Hi\r\n\r\nx\r\n",
    );
    expect(mbox).to.deep.include({ subject: "Hi", text: "x\n" });
    expect(mbox.from?.name).to.equal("bob at b.example");
  });

  it("has the same bytes again once its changes are undone, also when it came through a mask before", () => {
    const line = fc.constantFrom(
      "From: a@b.example",
      "From : x",
      "X-Bauta-Original-From: a@b.example",
      "X-Mailbox-Line: x",
      "X-Bauta-Mask: x",
      "X-Bauta-Original-junk",
      "Return-Path: <>",
      "From bob Mon",
      "Reply-To: a@b.example",
      " folded",
      "junk",
      "",
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 8 }), (lines) => {
        const mail = Buffer.from(lines.map((text) => `${text}\r\n`).join(""));
        expect(undoForwarding(forward(mail)).toString()).to.equal(mail.toString());
        expect(undoForwarding(undoForwarding(forward(forward(mail)))).toString()).to.equal(mail.toString());
      }),
    );
  });

  it("is refused as a loop after 101 servers or two masks", () => {
    const looping = (fields: string): boolean => {
      const header = readHeaderBlock(Buffer.from(`${fields}\r\nx\r\n`));
      return header !== null && isLooping(header);
    };
    expect(looping("Received: x\r\n".repeat(100))).to.equal(false);
    expect(looping("RECEIVED: x\r\n".repeat(101))).to.equal(true);
    expect(looping("X-Bauta-Mask: a\r\n")).to.equal(false);
    expect(looping("X-Bauta-Mask: a\r\nx-bauta-mask: b\r\n")).to.equal(true);
    const twice = forward(forward("From: a@b.example\r\n\r\nx\r\n"));
    expect(looping(twice.toString().split("\r\n\r\n", 1).join(""))).to.equal(true);
  });

  it("has one From, which is the mask's, and added lines under 998 octets, whatever the sender wrote", async () => {
    const bytes = fc.uint8Array({ maxLength: 300 }).map((array) =>
      Buffer.from(
        Buffer.from(array)
          .toString("latin1")
          .replace(/[\r\n\0]/g, " "),
        "latin1",
      ),
    );
    await fc.assert(
      fc.asyncProperty(bytes, fc.constantFrom("From: ", "Reply-To: ", "X", ""), async (value, name) => {
        const mail = Buffer.concat([Buffer.from(name), value, Buffer.from("\r\nSubject: s\r\n\r\nbody\r\n")]);
        const forwarded = forward(mail);
        const own = forwarded.toString("latin1").split("\r\n").slice(0, 5);
        expect(own.every((line) => line.length < 998)).to.equal(true);
        const { from, headers } = await PostalMime.parse(forwarded);
        expect(from?.address).to.equal(mask);
        expect(headers.filter(({ key }) => key === "from")).to.have.lengthOf(1);
      }),
    );
  });
});
