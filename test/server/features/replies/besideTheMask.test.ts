import { expect } from "chai";
import PostalMime, { decodeWords } from "postal-mime";
import { dayMs } from "../../../../core/kernel/durations.ts";
import {
  pruneReverseAddresses,
  unusedLifetimeMs,
} from "../../../../server/features/correspondents/reverseAddresses.ts";
import { maxUnansweredOfMask } from "../../../../server/features/correspondents/unansweredAddresses.ts";
import { maxCorrespondents } from "../../../../server/features/replies/rewrite/forwardedFields.ts";
import { bystander } from "../../support/bystander.ts";
import { onEachDatabase } from "../../support/databases.ts";
import { type DnsStub, startDnsStub } from "../../support/dnsStub.ts";
import { type RunningListener, startListener } from "../../support/listener.ts";
import { addMask, addOwner, type Owner, type TestMask } from "../../support/owners.ts";
import { readQueue } from "../../support/queue.ts";
import { secrets } from "../../support/secrets.ts";

const reverse = /re-[a-z2-7]{32}@masks\.example/g;

describe("A mail program that answers a forwarded mail in any way it offers", () => {
  let dns: DnsStub;
  before(async () => {
    dns = await startDnsStub({
      "home.example": { TXT: ["v=spf1 ip4:127.0.0.1 -all"] },
      "lists.example": { TXT: ["v=spf1 ip4:127.0.0.1 -all"] },
    });
  });
  after(() => dns.close());

  onEachDatabase(({ database }) => {
    let owner: Owner;
    let mask: TestMask;
    let relay: RunningListener;
    beforeEach(async () => {
      owner = await addOwner(database().db, "business");
      mask = await addMask(database().db, owner);
      relay = await startListener(database(), undefined, {
        dnsServer: dns.address,
        trustedNetworks: [],
        senderLimits: { perMinute: 1_000, perHour: 1_000, dailyShare: 100 },
        secrets,
      });
    });
    afterEach(() => relay.close());

    const send = async (from: string, to: string, fields: readonly string[]): Promise<string> => {
      await relay.clock.advance(1);
      const text = [...fields, "Date: Fri, 20 Nov 2026 10:00:00 +0000", "", "Text.", ""].join("\r\n");
      return (await relay.connect()).mail(from, [to], text);
    };
    const newest = async (recipient: string): Promise<string> => {
      const found = (await readQueue(database().db)).filter((one) => one.recipient === recipient).at(-1);
      return found?.content.toString() ?? "";
    };
    /** Sends a mail of a list to the mask and returns the header that the owner's mail program reads. */
    const receive = async (fields: readonly string[], from = "bob@lists.example"): Promise<string> => {
      const all = [`From: Bob <${from}>`, `To: ${mask.email}`, "Subject: News", ...fields];
      expect(await send("bounces@lists.example", mask.email, all)).to.match(/^250/);
      return (await newest(owner.email))
        .replaceAll(/\r\n[ \t]+/g, " ")
        .split("\r\n\r\n", 1)
        .join("");
    };
    const fieldOf = (header: string, name: string): string =>
      new RegExp(`^${name}: (.*)$`, "m").exec(header)?.[1]?.trim() ?? "";
    const stored = () =>
      database()
        .db.selectFrom("reverse_addresses")
        .where("user_id", "!=", bystander.id)
        .selectAll()
        .execute();

    it("finds reverse addresses only, and no request for a receipt", async () => {
      const header = await receive([
        "Mail-Followup-To: list@lists.example, carol@elsewhere.example",
        "Mail-Reply-To: bob@private.example",
        "Mail-Copies-To: nobody",
        "List-Post: <mailto:list@lists.example>",
        "List-Owner: <mailto:owner@lists.example> (Dave)",
        "List-Help: <mailto:list-request@lists.example?subject=help>, <https://lists.example/help>",
        "List-Subscribe: <mailto:list-join@lists.example>",
        "List-Archive: <https://lists.example/archive/list@lists.example>",
        "List-Unsubscribe: <https://lists.example/u?a=x@y.example>, <mailto:leave@lists.example?subject=leave%20a1>",
        "List-Unsubscribe-Post: List-Unsubscribe=One-Click",
        "List-ID: <list.lists.example>",
        "Read-Receipt-To: bob@lists.example",
      ]);
      expect(fieldOf(header, "Mail-Followup-To").match(reverse)).to.have.length(2);
      expect(fieldOf(header, "Mail-Reply-To").match(reverse)).to.have.length(1);
      expect(fieldOf(header, "Mail-Copies-To")).to.equal("nobody");
      for (const name of ["List-Post", "List-Owner", "List-Subscribe"])
        expect(fieldOf(header, name), name).to.match(/^<mailto:re-[a-z2-7]{32}@masks\.example>$/);
      expect(fieldOf(header, "List-Help")).to.match(
        /^<mailto:re-[a-z2-7]{32}@masks\.example\?subject=help>, <https:\/\/lists\.example\/help>$/,
      );
      expect(fieldOf(header, "List-Archive")).to.equal("<https://lists.example/archive/list@lists.example>");
      expect(fieldOf(header, "List-Unsubscribe")).to.match(
        /^<https:\/\/lists\.example\/u\?a=x@y\.example>, <mailto:re-[a-z2-7]{32}@masks\.example\?subject=leave%20a1>$/,
      );
      expect(fieldOf(header, "List-Unsubscribe-Post")).to.equal("List-Unsubscribe=One-Click");
      expect(fieldOf(header, "List-ID")).to.equal("<list.lists.example>");
      const acted = header.split("\r\n").filter((line) => !/^(?:X-Bauta-Original-|List-Archive:)/.test(line));
      expect(acted.join("\n").replaceAll(/https:[^>]*/g, "")).not.to.match(
        /[\w-]+@(?!masks\.example)\w+\.example/,
      );
    });

    /** The text as encoded words of one encoding, a few characters each, folded (RFC 2047, 2). */
    const inWords = (text: string, encoding: "q" | "b", between = "\r\n "): string =>
      (text.match(/.{1,17}/g) ?? [])
        .map((piece) =>
          encoding === "b"
            ? Buffer.from(piece).toString("base64")
            : piece.replaceAll(/[^a-z0-9]/gi, (one) => `=${one.charCodeAt(0).toString(16).toUpperCase()}`),
        )
        .map((piece) => `=?utf-8?${encoding}?${piece}?=`)
        .join(between);

    for (const [how, write] of [
      ["quoted-printable", (text: string) => inWords(text, "q")],
      ["base 64", (text: string) => inWords(text, "b")],
      ["one word", (text: string) => `=?UTF-8?B?${Buffer.from(text).toString("base64")}?=`],
      ["words side by side", (text: string) => inWords(text, "q", "")],
      ["words in angle brackets", (text: string) => `<${inWords(text.slice(1, -1), "b")}>`],
      ["words after a comment", (text: string) => `(Use this) ${inWords(text, "q")}`],
      ["a word with the scheme alone", (text: string) => text.replace("mailto:", "=?utf-8?q?mailto=3A?=")],
      [
        "a word in another character set",
        (text: string) =>
          `=?iso-8859-1*en?q?${text.replaceAll(/[^a-z]/g, (one) => `=${one.charCodeAt(0).toString(16)}`)}?=`,
      ],
    ] as const)
      it(`leads nowhere past the mask by links in encoded words: ${how}`, async () => {
        const link = write("<mailto:unsub-123@lists.example?subject=u>");
        const names = [
          "List-Unsubscribe",
          "List-Post",
          "List-Help",
          "List-Owner",
          "List-Archive",
          "List-Subscribe",
          "Archived-At",
        ];
        const unknown = ["X-List-Unsubscribe", "X-Unsubscribe", "X-Feedback", "X-Complaints-To"];
        const header = await receive([...names, ...unknown].map((name) => `${name}: ${link}`));
        for (const name of names)
          expect(fieldOf(header, name), name).to.match(
            /^(?:<mailto:re-[a-z2-7]{32}@masks\.example\?subject=u>)?$/,
          );
        expect(fieldOf(header, "List-Unsubscribe")).not.to.equal("");
        for (const name of unknown) expect(fieldOf(header, name), name).to.equal("");
        const answered = await receive([
          `Reply-To: ${write("Anna <anna@private.example>")}`,
          `Mail-Reply-To: ${write("<anna@private.example>")}`,
          "Mail-Followup-To: =?utf-8?q?Anna?= <anna@private.example>",
        ]);
        for (const name of ["Reply-To", "Mail-Reply-To", "Mail-Followup-To"])
          expect(fieldOf(answered, name), name).to.match(/<re-[a-z2-7]{32}@masks\.example>$/);
        for (const line of answered.split("\r\n").filter((one) => !one.startsWith("X-Bauta-Original-")))
          expect(decodeWords(line)).not.to.contain("@private");
      });

    it("does not make a link of what encoded words contain in encoded words", async () => {
      const inner = "=?utf-8?q?=3E=2C=3Cmailto=3Ax=40evil=2Eexample=3E?=";
      const header = await receive([`List-Unsubscribe: ${inWords(`<https://lists.example/${inner}>`, "q")}`]);
      expect(decodeWords(fieldOf(header, "List-Unsubscribe"))).not.to.contain("mailto:");
    });

    it("unsubscribes by mail as the mask, and the list sees nothing of the owner", async () => {
      const header = await receive(["List-Unsubscribe: <mailto:leave@lists.example?subject=leave%20a1>"]);
      const link = new URL(fieldOf(header, "List-Unsubscribe").slice(1, -1));
      const answer = [
        `From: Ada Lovelace <${owner.email}>`,
        `To: ${link.pathname}`,
        `Subject: ${link.searchParams.get("subject")}`,
        "Message-ID: <leave-1@mailer.home.example>",
        "User-Agent: Mailer of Ada",
        "Received: from laptop.home.example",
      ];
      expect(await send(owner.email, link.pathname, answer)).to.match(/^250/);
      const text = await newest("leave@lists.example");
      const mail = await PostalMime.parse(text);
      expect([mail.from?.address, mail.to?.[0]?.address, mail.subject]).to.deep.equal([
        mask.email,
        "leave@lists.example",
        "leave a1",
      ]);
      const row = (await readQueue(database().db)).find(
        ({ recipient }) => recipient === "leave@lists.example",
      );
      expect(row?.envelope_sender).to.equal(mask.email);
      expect(text).not.to.match(/home\.example|Ada|Lovelace|Mailer|laptop|re-[a-z2-7]{32}/);
    });

    it("finds nobody else in what only some programs read as an address", async () => {
      const header = await receive([
        `Reply-To: ${mask.email}, =?utf-8?q?x=40evil=2Eexample?=`,
        `Cc: ${mask.email},${" ".repeat(70_000)}x@evil.example`,
        "Mail-Reply-To: =?utf-8?q?=3Cx=40evil=2Eexample=3E?=",
      ]);
      for (const line of header.split("\r\n").filter((one) => !one.startsWith("X-Bauta-Original-")))
        expect(line).not.to.match(/@evil/);
      expect(fieldOf(header, "Reply-To")).to.equal(`<${mask.email}>`);
      expect(fieldOf(header, "To")).to.equal(mask.email);
    });

    it("reaches the first of many recipients, and a stranger's lists do not fill the store", async () => {
      const many = (prefix: string): string =>
        Array.from({ length: 100 }, (_, n) => `${prefix}-${n}@lists.example`).join(",\r\n ");
      const header = await receive([`Cc: ${many("a")}`]);
      expect(fieldOf(header, "Cc").match(reverse)).to.have.length(maxCorrespondents - 1);
      expect(header).to.include("a-99@lists.example");
      expect(await stored()).to.have.length(maxCorrespondents);
      for (let n = 1; n < 50; n += 1)
        await receive([`Reply-To: r-${n}@lists.example`, `Cc: ${many(`b-${n}`)}`], `c-${n}@lists.example`);
      const answered = 1 + 49 * 2;
      expect(await stored()).to.have.length.within(maxUnansweredOfMask, maxUnansweredOfMask + answered);
      const last = await receive([`Cc: ${many("z")}`, "Reply-To: new@lists.example"], "last@lists.example");
      expect(fieldOf(last, "Cc")).to.equal("");
      expect(fieldOf(last, "Reply-To").match(reverse)).to.have.length(1);
      expect(fieldOf(last, "From").match(reverse)).to.have.length(1);
      const linked = await receive(["List-Unsubscribe: <mailto:leave@lists.example>"]);
      expect(fieldOf(linked, "List-Unsubscribe").match(reverse)).to.have.length(1);
    });

    it("reaches nobody 90 days after the last mail, with a reason, unless it was ever answered", async () => {
      const header = await receive(["Cc: carol@lists.example"]);
      const [bob = ""] = fieldOf(header, "From").match(reverse) ?? [];
      const [carol = ""] = fieldOf(header, "Cc").match(reverse) ?? [];
      const answer = (to: string, from = owner.email) => [`From: ${from}`, `To: ${to}`, "Subject: Re: News"];
      const later = async (ms: number): Promise<void> => {
        await relay.clock.advance(ms);
        await pruneReverseAddresses(database().db, relay.clock.now());
      };
      expect(await send(owner.email, bob, answer(bob))).to.match(/^250/);
      await later(80 * dayMs);
      expect(fieldOf(await receive(["Cc: carol@lists.example"]), "Cc")).to.include(carol);
      await later(unusedLifetimeMs - dayMs);
      expect(await send(owner.email, carol, answer(carol))).to.match(/^250/);
      await receive(["Cc: dave@lists.example"]);
      const [dave = ""] = fieldOf(await receive(["Cc: dave@lists.example"]), "Cc").match(reverse) ?? [];
      await later(unusedLifetimeMs + dayMs);
      expect(await send(owner.email, bob, answer(bob))).to.match(/^250/);
      expect(await send(owner.email, carol, answer(carol))).to.match(/^250/);
      const refused = await send(owner.email, dave, answer(dave));
      expect(refused).to.match(
        /^550 5\.1\.1 BAUTA-R16 .*; see https:\/\/mail\.example\/help\/replies#BAUTA-R16/,
      );
      expect(await send("eve@lists.example", bob, answer(bob, "eve@lists.example"))).to.equal(refused);
      const again = await receive(["Cc: dave@lists.example"]);
      expect(fieldOf(again, "Cc").match(reverse)).to.have.length(1);
      const [renewed = ""] = fieldOf(again, "Cc").match(reverse) ?? [];
      expect(await send(owner.email, renewed, answer(renewed))).to.match(/^250/);
    });
  });
});
