import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Writable } from "node:stream";
import { expect } from "chai";
import { pino } from "pino";
import type { RuleAction } from "../../../../core/rules/model/action.ts";
import { bystander, isOfTest } from "../../support/bystander.ts";
import { onEachDatabase } from "../../support/databases.ts";
import { type DnsStub, startDnsStub } from "../../support/dnsStub.ts";
import { type RunningListener, startListener } from "../../support/listener.ts";
import { addMask, addOwner, type Owner, type TestMask } from "../../support/owners.ts";
import { addRuledMask } from "../../support/ruledMask.ts";
import { keyRecord, signed } from "../encrypt/signedMail.ts";

const letter = (from: string): string =>
  [
    `From: ${from}`,
    "Subject: Your order",
    "Date: Fri, 20 Nov 2026 10:00:00 +0000",
    "Message-ID: <1@shop.example>",
    "",
    "It is on its way.",
    "",
  ].join("\r\n");

/** A mail that the filter refuses even from the local machine, which fails no DNS check. */
const forged = letter('"help@bank.example" <x@shop.example>').replace(
  "It is on its way.",
  "XJS*C4JDBQADN1.NSBN3*2IDNEN*GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL*C.34X",
);

describe("A mail to a mask whose spam filter is on", () => {
  let dns: DnsStub;
  before(async () => {
    dns = await startDnsStub({
      "shop.example": { TXT: ["v=spf1 -all"] },
      "_dmarc.shop.example": { TXT: ["v=DMARC1; p=reject"] },
      "mail._domainkey.shop.example": { TXT: [keyRecord] },
    });
  });
  after(() => dns.close());

  onEachDatabase(({ database }) => {
    let owner: Owner;
    let relay: RunningListener;
    let guarded: TestMask;
    let logged: string[];
    const log = pino(
      { level: "trace" },
      new Writable({
        write: (chunk, _encoding, written) => {
          logged.push(String(chunk));
          written();
        },
      }),
    );

    beforeEach(async () => {
      logged = [];
      owner = await addOwner(database().db);
      guarded = await addMask(database().db, owner, { spamFilter: true });
      relay = await startListener(database(), undefined, { dnsServer: dns.address, log });
    });
    afterEach(() => relay.close());

    const send = async (masks: readonly TestMask[], content: string | Uint8Array): Promise<string> =>
      (await relay.connect()).mail(
        "x@shop.example",
        masks.map(({ email }) => email),
        content,
      );
    const queuedFor = async (): Promise<readonly (string | null)[]> =>
      (
        await database()
          .db.selectFrom("queue")
          .where("user_id", "is distinct from", bystander.id)
          .select("mask_id")
          .execute()
      ).map(({ mask_id }) => mask_id);
    const statistics = (mask: TestMask) =>
      database()
        .db.selectFrom("mask_statistics")
        .select(["total_received", "spam_blocked", "details"])
        .where("mask_id", "=", mask.id)
        .executeTakeFirstOrThrow();

    it("is accepted when its domain has signed it", async () => {
      expect(await send([guarded], await signed(letter("Shop <x@shop.example>"), "shop.example"))).to.match(
        /^250/,
      );
      expect(await queuedFor()).to.deep.equal([guarded.id]);
      expect(dns.queries).to.include("mail._domainkey.shop.example TXT");
    });

    it("is refused with 550 5.7.1 when it is spam, and counted, and its owner sees why", async () => {
      expect(await send([guarded], forged)).to.match(/^550 5\.7\.1 .*spam/);
      expect(await queuedFor()).to.deep.equal([]);
      const { details, ...counted } = await statistics(guarded);
      expect(counted).to.deep.equal({ total_received: 1, spam_blocked: 1 });
      const [blocked] = (JSON.parse(details) as { blockHistory: { reason: string; threatLevel: string }[] })
        .blockHistory;
      expect(blocked).to.include({
        reason: "Spam filter: the test mail of spam filters (GTUBE)",
        threatLevel: "high",
      });
    });

    it("is accepted for recipients with the filter off, and refused for those with it on", async () => {
      const open = await addMask(database().db, owner);
      expect(await send([guarded, open], forged)).to.match(/^250/);
      expect(await queuedFor()).to.deep.equal([open.id]);
      expect((await statistics(guarded)).spam_blocked).to.equal(1);
    });

    it("is not checked at all when no recipient has the filter on", async () => {
      const before = dns.queries.length;
      expect(await send([await addMask(database().db, owner)], forged)).to.match(/^250/);
      expect(dns.queries).to.have.lengthOf(before);
    });

    it("triggers no action of a rule, and is dropped silently where a rule says so", async () => {
      const rules: readonly RuleAction[] = [
        { type: "auto-reply", params: { subject: "", message: "Thanks" } },
        { type: "notify", params: { message: "" } },
        { type: "archive", params: { markAsRead: false } },
      ];
      const busy = await addRuledMask(database().db, owner, ...rules);
      const silent = await addRuledMask(database().db, owner, {
        type: "block",
        params: { silentBlock: true },
      });
      await database()
        .db.updateTable("masks")
        .where("user_id", "!=", bystander.id)
        .set({ spam_filter: 1 })
        .execute();
      expect(await send([busy], forged)).to.match(/^550/);
      expect(await send([silent], forged)).to.match(/^250/);
      expect(await queuedFor()).to.deep.equal([]);
      for (const table of ["notifications", "archived_mails"] as const)
        expect(
          (await database().db.selectFrom(table).selectAll().execute()).filter(isOfTest),
          table,
        ).to.deep.equal([]);
    });

    it("adds one line to the log: the verdicts, and no address", async () => {
      await send([guarded], forged);
      const lines = logged.filter((line) => line.includes('"spam"'));
      expect(lines).to.have.lengthOf(1);
      expect(lines[0]).to.include('"dkim":"none"').and.include('"rating":"spam"');
      expect(lines[0]).not.to.match(/@|shop\.example|bank\.example|127\.0\.0\.1/);
    });

    it("is judged by rspamd where there is one", async () => {
      const server = createServer((request, response) => {
        request.resume();
        request.on("end", () =>
          response.end(
            JSON.stringify({
              score: 20,
              required_score: 15,
              action: "reject",
              symbols: { GTUBE: { score: 20 } },
            }),
          ),
        );
      });
      await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
      const rspamdUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const asking = await startListener(database(), undefined, { dnsServer: dns.address, rspamdUrl });
      const mail = await signed(letter("Shop <x@shop.example>"), "shop.example");
      const reply = await (await asking.connect()).mail("x@shop.example", [guarded.email], mail);
      await asking.close();
      server.closeAllConnections();
      server.close();
      expect(reply).to.match(/^550 5\.7\.1/);
      expect((await statistics(guarded)).details).to.include('"reason":"Spam filter: GTUBE"');
    });
  });
});
