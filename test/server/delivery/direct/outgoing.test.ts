import { Resolver } from "node:dns/promises";
import { expect } from "chai";
import { cryptoRandom } from "../../../../adapters/system/clockAndRandom.ts";
import { createOutgoing } from "../../../../server/app/outgoingTransport.ts";
import { readReport } from "../../../../server/features/reports/received/readReport.ts";
import { createSendTlsReports } from "../../../../server/features/reports/sent/sendTlsReports.ts";
import { readConfig } from "../../../../server/platform/config/config.ts";
import { createSeal } from "../../../../server/platform/ops/secrets.ts";
import { DkimKeys } from "../../../../server/proof/dkimRotation.ts";
import { named } from "../../../support/domainNames.ts";
import { bystander } from "../../support/bystander.ts";
import { onEachDatabase } from "../../support/databases.ts";
import { type DnsStub, startDnsStub } from "../../support/dnsStub.ts";
import { silent } from "../../support/listener.ts";
import { addMask, addOwner } from "../../support/owners.ts";
import { queueMail, type RunningDelivery, startDelivery } from "../../support/runningDelivery.ts";
import { type Sink, startSink } from "../../support/sink.ts";
import { createTestClock, type TestClock } from "../../support/testClock.ts";
import { until } from "../../support/until.ts";

const minute = 60_000;
const day = 24 * 60 * minute;

describe("A relay with NEXT_HOP=mx", () => {
  onEachDatabase(({ database }) => {
    let dns: DnsStub;
    let sink: Sink;
    let clock: TestClock;
    let delivery: RunningDelivery;
    let figures: Awaited<ReturnType<typeof createOutgoing>>["figures"];

    beforeEach(async () => {
      sink = await startSink({ startTls: true });
      clock = createTestClock();
      dns = await startDnsStub({
        "home.example": { MX: ["10 mx.home.example"] },
        "mx.home.example": { A: ["127.0.0.1"] },
        "dead.example": { MX: ["10 mx.dead.example"] },
        "mx.dead.example": { A: ["127.0.0.99"] },
      });
      const config = readConfig({
        NEXT_HOP: "mx",
        MX_PORT: String(sink.port),
        MX_NETWORKS: "loopback",
        DNS_SERVER: dns.address,
        MASK_DOMAIN: "masks.example",
        TLS_REPORTS: "on",
      });
      const seal = createSeal(Buffer.alloc(32, 7), cryptoRandom);
      const dkimKeys = new DkimKeys({ database: database(), seal, clock, domain: "masks.example" });
      await dkimKeys.ensure();
      const outgoing = await createOutgoing(config, {
        database: database(),
        activeKeys: dkimKeys.active,
        clock,
        random: { ...cryptoRandom, fraction: () => 0 },
        log: silent,
        deliveredLog: null,
        hasRoomForLarge: () => true,
        countDns: (ask) => ask,
      });
      ({ figures } = outgoing);
      delivery = startDelivery(database(), outgoing.transport, clock);
      await until("it is ready", delivery.ready);
    });
    afterEach(async () => {
      await delivery?.stop();
      await sink.close();
      await dns.close();
    });

    const row = (id: string) =>
      database().db.selectFrom("queue").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
    const statusOf = async (id: string) => (await row(id)).status;
    /** Lets the delivery look at a due mail, and waits for what it does. */
    const attempt = async (id: string): Promise<number> => {
      const before = (await row(id)).next_attempt_at;
      delivery.wake();
      await until("it was tried", async () => {
        const { next_attempt_at, lease, status } = await row(id);
        return status !== "waiting" || (lease === null && next_attempt_at > Math.max(before, clock.now()));
      });
      return (await row(id)).next_attempt_at;
    };

    it("signs mail and brings it over TLS to the server of its recipient, small and large", async () => {
      const contents = [Buffer.from("Subject: x\r\n\r\nx\r\n"), Buffer.alloc(400_000, "0123456789abcde\r\n")];
      for (const content of contents)
        await queueMail(
          database().db,
          {
            recipient: "someone@home.example",
            content: Buffer.concat([Buffer.from("Subject: x\r\n\r\n"), content]),
          },
          clock.now(),
        );
      delivery.wake();
      await until("both have arrived", () => sink.mails.length === 2);
      for (const { content } of sink.mails)
        expect(content.toString("latin1")).to.match(/^DKIM-Signature: [\s\S]*d=masks\.example/);
      expect(sink.secured()).to.be.greaterThan(0);
      await until("the connections are counted", () => figures?.tlsSessions().length === 1);
      expect(figures?.tlsSessions()[0]).to.include({ policy: "none", result: "success" });
    });

    it("says in forwarded mail alone, signed, where its recipient's provider reports complaints", async () => {
      const owner = await addOwner(database().db);
      const mask = await addMask(database().db, owner);
      const recipient = "owner@home.example";
      const content = Buffer.from(`From: ${mask.email}\r\nSubject: x\r\n\r\nx\r\n`);
      const { db } = database();
      const id = await queueMail(db, { userId: owner.id, maskId: mask.id, recipient, content }, clock.now());
      await queueMail(db, { recipient, content }, clock.now());
      const sent = { userId: owner.id, maskId: mask.id, envelopeSender: mask.email, content };
      await queueMail(db, { ...sent, recipient: "shop@home.example" }, clock.now());
      delivery.wake();
      await until("all have arrived", () => sink.mails.length === 3);
      const [forwarded, ...more] = sink.mails
        .map(({ content: bytes }) => bytes.toString("latin1"))
        .toSorted((a, b) => Number(b.includes("CFBL-Address")) - Number(a.includes("CFBL-Address")));
      expect(forwarded).to.contain(
        `\r\nCFBL-Address: complaints@masks.example; report=arf\r\nCFBL-Feedback-ID: ${Buffer.from(id).toString("hex")}\r\n`,
      );
      const signed = forwarded?.replaceAll(/\r\n\s+/g, "") ?? "";
      expect(signed).to.match(/DKIM-Signature: [^\r]*h=[^;]*:cfbl-address:cfbl-address:cfbl-feedback-id/);
      expect(more.join("")).not.to.match(/cfbl/i);
    });

    it("reports TLS of a day to a domain that asks for it, once, and of users' mail alone", async () => {
      dns.zone = {
        ...dns.zone,
        "_smtp._tls.home.example": {
          TXT: ["v=TLSRPTv1; rua=mailto:tls@home.example,https://home.example/tls"],
        },
      };
      // From the beginning of a day, which the mails must not pass.
      clock.advance(day - (clock.now() % day));
      const { db } = database();
      const owner = await addOwner(db);
      const send = async (userId: string | undefined): Promise<void> => {
        const arrived = sink.mails.length;
        await queueMail(db, { ...(userId && { userId }), recipient: "a@home.example" }, clock.now());
        delivery.wake();
        await until("it has arrived", () => sink.mails.length > arrived);
        clock.advance(2 * minute);
      };
      for (const userId of [owner.id, owner.id, undefined, owner.id]) await send(userId);
      const counted = () => db.selectFrom("tls_report_counts").selectAll().execute();
      await until("they are counted", async () => (await counted()).some(({ count }) => Number(count) === 3));
      const before = sink.mails.length;
      const resolver = new Resolver();
      resolver.setServers([dns.address]);
      const sendReports = createSendTlsReports({
        database: database(),
        maskDomain: named("masks.example"),
        dns: resolver,
        clock,
        random: cryptoRandom,
        onQueued: delivery.wake,
      });
      await sendReports();
      expect(await counted(), "the day is not over").not.to.deep.equal([]);
      clock.advance(day + 60 * minute);
      await sendReports();
      await sendReports();
      expect(await counted()).to.deep.equal([]);
      await until("it has arrived", () => sink.mails.length > before);
      expect(sink.mails).to.have.lengthOf(before + 1);
      const mail = sink.mails.at(-1);
      expect(mail?.to).to.equal("tls@home.example");
      const bytes = mail?.content ?? Buffer.alloc(0);
      expect(bytes.toString("latin1"))
        .to.match(/^DKIM-Signature: /)
        .and.match(/\r\nTLS-Report-Domain: home\.example\r\n/i)
        .and.match(/\r\nContent-Type: multipart\/report; report-type=tlsrpt;/);
      const read = readReport(bytes);
      expect(read).to.have.nested.property("report.domain", "home.example");
      const rows = "report" in read && read.report.kind === "tls" ? read.report.rows : [];
      expect(
        rows.every(({ policyType, result }) => policyType === "no-policy-found" && result === "success"),
      ).to.equal(true);
      expect(rows[0]?.count).to.equal(3);
    });

    it("tells the owner after 4 hours that no server answers, and holds the mail after 5 days", async () => {
      const owner = await addOwner(database().db);
      const mask = await addMask(database().db, owner);
      const first = clock.now();
      const id = await queueMail(
        database().db,
        {
          userId: owner.id,
          maskId: mask.id,
          recipient: "owner@dead.example",
          content: Buffer.from(`X-Bauta-Mask: ${mask.email}\r\nFrom: a\r\nSubject: x\r\n\r\nx\r\n`),
        },
        first,
      );
      const notifications = () =>
        database()
          .db.selectFrom("notifications")
          .where("user_id", "!=", bystander.id)
          .select("message")
          .execute();
      let noticedAfter = 0;
      for (let tries = 0; (await statusOf(id)) === "waiting" && tries < 200; tries += 1) {
        const next = await attempt(id);
        if (noticedAfter === 0 && (await notifications()).length > 0) noticedAfter = clock.now() - first;
        if ((await statusOf(id)) === "waiting") clock.advance(next - clock.now());
      }
      expect(Math.round(noticedAfter / minute)).to.equal(240);
      expect(Math.round((clock.now() - first) / minute)).to.equal((5 * day) / minute);
      expect(await statusOf(id)).to.equal("held");
      const [delayed, held, ...more] = (await notifications()).map(({ message }) => message);
      expect(delayed).to.match(/ is delayed: the server of your address cannot be reached \(.*ECONNREFUSED/);
      expect(delayed).to.match(/ Delivery is retried for 5 days in all\.$/);
      expect(held).to.match(/it was tried for 5 days/);
      expect(more).to.deep.equal([]);
    });

    it("asks a domain that does not answer with a single mail, and sends the others when it answers again", async () => {
      await Promise.all(
        Array.from({ length: 12 }, (_, index) =>
          queueMail(database().db, { recipient: `r${index}@dead.example` }, clock.now()),
        ),
      );
      delivery.wake();
      const answered = async () => {
        const rows = await database()
          .db.selectFrom("queue")
          .where("user_id", "is distinct from", bystander.id)
          .select(["last_answer", "lease"])
          .execute();
        return rows.every(({ last_answer, lease }) => last_answer !== null && lease === null);
      };
      await until("all of them wait, with the reason", answered);
      expect(figures?.domains()).to.deep.equal({ sending: 0, failing: 1 });
      dns.zone = { ...dns.zone, "mx.dead.example": { A: ["127.0.0.1"] } };
      clock.advance(2 * minute);
      await until("all have arrived", async () => {
        clock.advance(2 * minute);
        delivery.wake();
        return sink.mails.length === 12;
      });
      expect(figures?.domains().failing).to.equal(0);
    });
  });
});
