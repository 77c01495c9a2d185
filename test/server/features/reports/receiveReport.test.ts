import { gzipSync } from "node:zlib";
import { Registry } from "@prometheus-io/client";
import { expect } from "chai";
import { pino } from "pino";
import { dayMs, hourMs } from "../../../../core/kernel/durations.ts";
import { createMailMetrics } from "../../../../server/app/mailMetrics/mailMetrics.ts";
import { checkReceiverReports } from "../../../../server/features/operator/reportChecks.ts";
import { readReceiverReports } from "../../../../server/features/reports/received/reportFigures.ts";
import { pruneReports } from "../../../../server/features/reports/received/reportQueries.ts";
import { reportShare } from "../../../../server/features/reports/receiveReport.ts";
import { createOwnRates } from "../../../../server/platform/rates/rates.ts";
import { createInstallationShares } from "../../../../server/relay/limits/installationShares.ts";
import { onEachDatabase } from "../../support/databases.ts";
import { type DnsStub, startDnsStub } from "../../support/dnsStub.ts";
import { maskDomain, type RunningListener, startListener } from "../../support/listener.ts";
import { addMask, addOwner } from "../../support/owners.ts";
import { readQueue } from "../../support/queue.ts";
import { dmarcXml, mailWith, record, tlsJson, zipOf } from "./received/reports.ts";

const dmarcAddress = `dmarc-reports@${maskDomain}`;
const tlsAddress = `tls-reports@${maskDomain}`;

describe("Mail with a report of a receiver", () => {
  onEachDatabase(({ database }) => {
    let dns: DnsStub;
    let relay: RunningListener;
    let logged: string[];
    let registry: Registry;

    beforeEach(async () => {
      dns = await startDnsStub({
        "receiver.example": { TXT: ["v=spf1 ip4:127.0.0.1 -all"] },
        "_dmarc.receiver.example": { TXT: ["v=DMARC1; p=reject"] },
        "_dmarc.victim.example": { TXT: ["v=DMARC1; p=reject"] },
        "other.example": { TXT: ["v=spf1 ip4:127.0.0.1 -all"] },
      });
      logged = [];
      registry = new Registry();
      const log = pino({ level: "info" }, { write: (line: string) => void logged.push(line) });
      // Mail from this machine is checked as mail of strangers.
      relay = await startListener(database(), undefined, {
        dnsServer: dns.address,
        trustedNetworks: [],
        log,
        metrics: createMailMetrics(registry),
      });
    });
    afterEach(async () => {
      await relay.close();
      await dns.close();
    });

    const send = async (
      content: Buffer,
      { from = "dmarc@receiver.example", to = [dmarcAddress] as readonly string[] } = {},
    ): Promise<string> => (await relay.connect()).mail(from, to, content.toString("latin1"));
    const packed = (xml: string, from?: string): Buffer => mailWith(gzipSync(xml), "application/gzip", from);
    const figures = (own: readonly string[] = []) =>
      readReceiverReports(database().db, relay.clock.now(), own);

    it("is stored as counted rows, of DMARC and of TLS, and shown with who refused what", async () => {
      const records = [
        record({ count: 90 }),
        record({ count: 8, disposition: "reject", dkim: "fail", spf: "fail", ip: "198.51.100.7" }),
        record({ count: 2, disposition: "reject", dkim: "fail", spf: "fail" }),
      ].join("");
      expect(await send(packed(dmarcXml({ records })))).to.match(/^250/);
      const tls = mailWith(gzipSync(JSON.stringify(tlsJson())), "application/tlsrpt+gzip");
      expect(await send(tls, { to: [tlsAddress.toUpperCase()] })).to.match(/^250/);
      const { dmarc, tls: connections } = await figures(["203.0.113.9"]);
      expect(dmarc).to.deep.include({ reports: 1, mails: 100, passed: 90 });
      const about = {
        reporter: "receiver.example",
        isProven: true,
        domain: maskDomain,
        disposition: "reject",
      };
      const failed = { ...about, dkim: "fail", spf: "fail" };
      expect(dmarc.failed).to.deep.equal([
        { ...failed, sourceIp: "203.0.113.9", isOwn: true, count: 2 },
        { ...failed, sourceIp: "198.51.100.7", isOwn: false, count: 8 },
      ]);
      expect(connections).to.deep.include({ reports: 1, connections: 5_629, failed: 303 });
      expect(connections.failures.map(({ result, count }) => [result, count])).to.deep.equal([
        ["starttls-not-supported", 200],
        ["certificate-expired", 100],
        ["validation-failure", 3],
      ]);
      const check = checkReceiverReports(await figures(["203.0.113.9"]));
      expect(check).to.include({
        state: "warning",
        is: "2 mails of this server failed DMARC, at receiver.example",
      });
      expect(checkReceiverReports(await figures())).to.deep.include({
        state: "warning",
        is: "200 connections from Company-X failed: starttls-not-supported",
      });
      expect(await readQueue(database().db), "nobody gets it as mail").to.deep.equal([]);
    });

    it("counts once, however often the same report comes", async () => {
      for (const _ of [1, 2]) expect(await send(packed(dmarcXml()))).to.match(/^250/);
      expect((await figures()).dmarc).to.include({ reports: 1, mails: 2 });
    });

    it("is marked where its sender is not proven, and refused where it is forged", async () => {
      const unproven = packed(
        dmarcXml({ records: record({ dkim: "fail", spf: "fail" }) }),
        "a@unknown.example",
      );
      expect(await send(unproven, { from: "a@unknown.example" })).to.match(/^250/);
      const [failed] = (await figures(["203.0.113.9"])).dmarc.failed;
      expect(failed).to.include({ isProven: false, isOwn: true });
      expect(checkReceiverReports(await figures(["203.0.113.9"])).state, "nobody is alarmed by it").to.equal(
        "ok",
      );
      const forged = packed(dmarcXml({ id: "r2" }), "dmarc@victim.example");
      expect(await send(forged, { from: "a@other.example" })).to.match(/^550 5\.7\.1 /);
      expect((await figures()).dmarc.reports).to.equal(1);
    });

    it("is refused when it is about another domain", async () => {
      const answer = await send(packed(dmarcXml({ domain: "elsewhere.example" })));
      expect(answer).to.match(/^554 5\.6\.0 This report is not about a domain of this server/);
      expect(await send(packed(dmarcXml({ domain: `x${maskDomain}` })))).to.match(/^554/);
      expect(await send(packed(dmarcXml({ domain: `name.${maskDomain}` })))).to.match(/^250/);
    });

    it("that is hostile or broken is refused by a word in the log, without its content, and counted by it", async () => {
      const secret = "the-name-in-the-report";
      const hostile: readonly (readonly [Buffer, RegExp])[] = [
        [mailWith(gzipSync(Buffer.alloc(60_000_000, "<"))), /too-large/],
        [mailWith(zipOf(Buffer.alloc(60_000_000, "<"))), /too-large/],
        [packed(dmarcXml({ before: `<!DOCTYPE x [<!ENTITY a "${secret}">]>` })), /has-dtd/],
        [packed(`<feedback><${secret}>`), /not-xml/],
        [packed("<a>".repeat(1_000)), /too-deep/],
        [mailWith(Buffer.from("\x01\x02")), /no-report/],
      ];
      for (const [mail, problem] of hostile) {
        logged = [];
        expect(await send(mail)).to.match(/^554 5\.6\.0 /);
        expect(logged.join("")).to.match(problem).and.not.to.contain(secret);
      }
      expect(await send(packed(dmarcXml())), "the next one").to.match(/^250/);
      const counts = (await registry.metrics()).match(/^bauta_receiver_reports_total\{.*\} [1-9]\d*$/gm);
      expect(counts).to.have.members([
        'bauta_receiver_reports_total{result="read"} 1',
        'bauta_receiver_reports_total{result="too-large"} 2',
        'bauta_receiver_reports_total{result="has-dtd"} 1',
        'bauta_receiver_reports_total{result="not-xml"} 1',
        'bauta_receiver_reports_total{result="too-deep"} 1',
        'bauta_receiver_reports_total{result="no-report"} 1',
      ]);
    });

    it("is too large above 4 MB", async () => {
      const client = await relay.connect();
      await client.say("MAIL FROM:<a@receiver.example> SIZE=5000000");
      expect(await client.say(`RCPT TO:<${dmarcAddress}>`)).to.match(/^552 5\.3\.4 /);
    });

    it("counts for its network, so that a flood from elsewhere keeps nobody's out", async () => {
      const announced = async (localAddress: string, times: number): Promise<string> => {
        const client = await relay.connect(undefined, localAddress);
        let last = "";
        for (let count = 0; count < times; count += 1) {
          await client.say("MAIL FROM:<dmarc@receiver.example>");
          last = await client.say(`RCPT TO:<${dmarcAddress}>`);
          await client.say("RSET");
        }
        return last;
      };
      expect(await announced("127.0.9.1", reportShare.network)).to.match(/^250/);
      expect(await announced("127.0.9.1", 1), "one address").to.match(/^450 4\.2\.1 /);
      expect(await announced("127.0.9.2", reportShare.widerNetwork - reportShare.network)).to.match(/^250/);
      expect(await announced("127.0.9.3", 1), "its /24").to.match(/^450 4\.2\.1 /);
      expect(await send(packed(dmarcXml())), "a receiver elsewhere").to.match(/^250/);
      await relay.clock.advance(hourMs);
      expect(await announced("127.0.9.1", 1)).to.match(/^250/);
    });

    it("that is forged or without a proof uses up nothing of a proven receiver's share", async () => {
      const rates = createOwnRates(relay.clock.now);
      const shares = createInstallationShares({ rates, isTrusted: () => false }, "reports", reportShare);
      const { unproven, unprovenOfNetwork } = reportShare;
      const takenFrom = (n: number): number =>
        Array.from({ length: 100 }, () => shares.take(`198.51.${n}.1`, null)).filter(Boolean).length;
      expect(takenFrom(0), "of one network").to.equal(unprovenOfNetwork);
      for (let n = 1; n < unproven / unprovenOfNetwork; n += 1) takenFrom(n);
      expect(takenFrom(200), "of all without a proof").to.equal(0);
      expect(shares.take("198.51.0.1", "receiver.example"), "proven, beside a stranger").to.equal(true);
      for (let n = 1; n < reportShare.domain; n += 1) shares.take("203.0.113.1", "receiver.example");
      expect(shares.take("203.0.113.1", "receiver.example"), "more than its share").to.equal(false);
      expect(shares.take("203.0.113.1", "other.example"), "of another domain").to.equal(true);
    });

    it("is taken from a proven receiver after a flood without proofs, over the wire", async () => {
      const forged = (n: number) => packed(dmarcXml({ id: `f${n}` }), "dmarc@victim.example");
      for (let n = 0; n < 60; n += 1)
        expect(await send(forged(n), { from: "a@other.example" })).to.match(/^550/);
      const unproven = (n: number) => packed(dmarcXml({ id: `u${n}` }), "a@unknown.example");
      let last = "";
      for (let n = 0; n <= reportShare.unprovenOfNetwork; n += 1)
        last = await send(unproven(n), { from: "a@unknown.example" });
      expect(last).to.match(/^450 4\.2\.1 /);
      expect(await send(packed(dmarcXml()))).to.match(/^250/);
    });

    it("takes the place of the oldest of whoever has most, so that nobody fills the store for others", async () => {
      const { db } = database();
      const store = (authorDomain: string, isProven: boolean, rows: number, at: number) =>
        db
          .insertInto("receiver_reports")
          .values({
            id: `${authorDomain} ${at}`,
            kind: "dmarc",
            reporter: authorDomain,
            author_domain: authorDomain,
            is_proven: isProven ? 1 : 0,
            report_id: `${at}`,
            domain: maskDomain,
            begins_at: 0,
            ends_at: 0,
            row_count: rows - 1,
            received_at: at,
          })
          .execute();
      for (let n = 0; n < 10; n += 1)
        for (const at of [1, 2])
          await store(`flood${n}.example`, true, n === 7 && at === 2 ? 10_001 : 10_000, at);
      await store("quiet.example", true, 10, 0);
      expect(await send(packed(dmarcXml()))).to.match(/^250/);
      const ids = (await db.selectFrom("receiver_reports").select(["id", "author_domain"]).execute()).map(
        (row) => row,
      );
      const of = (domain: string) => ids.filter(({ author_domain: author }) => author === domain);
      expect(of("receiver.example")).to.have.lengthOf(1);
      expect(of("quiet.example")).to.have.lengthOf(1);
      expect(of("flood7.example").map(({ id }) => id)).to.deep.equal(["flood7.example 2"]);
      expect(ids).to.have.lengthOf(21);
    });

    it("reaches a mask as well, which gets its copy whatever the report is", async () => {
      const owner = await addOwner(database().db);
      const mask = await addMask(database().db, owner);
      expect(await send(packed("<no"), { to: [dmarcAddress, mask.email] })).to.match(/^250/);
      expect((await readQueue(database().db)).map(({ recipient }) => recipient)).to.deep.equal([owner.email]);
    });

    it("is forgotten after 60 days, with its rows", async () => {
      await send(packed(dmarcXml()));
      const { db } = database();
      const left = () => db.selectFrom("dmarc_report_rows").selectAll().execute();
      await pruneReports(db, relay.clock.now() + 59 * dayMs);
      expect(await left()).to.have.lengthOf(1);
      await pruneReports(db, relay.clock.now() + 61 * dayMs);
      expect(await left()).to.have.lengthOf(0);
    });
  });
});
