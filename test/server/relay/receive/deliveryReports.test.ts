import { expect } from "chai";
import pino from "pino";
import { createNextHopTransport } from "../../../../server/delivery/nextHopTransport.ts";
import { failures } from "../../delivery/bounceReports/bounceForms.ts";
import { bystander } from "../../support/bystander.ts";
import { onEachDatabase } from "../../support/databases.ts";
import { maskDomain, startListener } from "../../support/listener.ts";
import { useRelay } from "../../support/relay.ts";
import { type RunningDelivery, startDelivery } from "../../support/runningDelivery.ts";
import { type Sink, startSink } from "../../support/sink.ts";
import { createTestClock } from "../../support/testClock.ts";
import { until } from "../../support/until.ts";

const report = (...fields: readonly string[]): string =>
  [
    "From: mailer-daemon@hop.example",
    "Subject: Undelivered",
    "Content-Type: multipart/report; report-type=delivery-status; boundary=b",
    "",
    "--b",
    "Content-Type: text/plain",
    "",
    "Sorry.",
    "--b",
    "Content-Type: message/delivery-status",
    "",
    "Reporting-MTA: dns; hop.example",
    "",
    "Final-Recipient: rfc822; owner@home.example",
    ...fields,
    "",
    "--b",
    "Content-Type: message/rfc822",
    "",
    "Subject: x",
    "",
    "Action: failed",
    "--b--",
    "",
  ].join("\r\n");

const failed = report(
  "Action: failed",
  "Status: 5.1.1",
  "Diagnostic-Code: smtp; 550 5.1.1 <owner@home.example> is not here",
);

describe("A report about a mail that the next hop has accepted", () => {
  onEachDatabase(({ database }) => {
    const { owner, mask, relay } = useRelay(database);
    let sink: Sink;
    let delivery: RunningDelivery;

    beforeEach(async () => {
      sink = await startSink();
      const hop = { host: "127.0.0.1", port: sink.port, secure: false };
      delivery = startDelivery(database(), createNextHopTransport(hop, maskDomain, 1), createTestClock());
    });
    afterEach(async () => {
      await delivery.stop();
      await sink.close();
    });

    const send = async (from: string, to: string, content: string | Buffer): Promise<string> => {
      const client = await relay.connect();
      const answer = await client.mail(from, [to], content);
      client.destroy();
      return answer;
    };
    /** Returns the address for reports about a mail that the next hop has just accepted. */
    const returnPath = async (): Promise<string> => {
      const before = sink.mails.length;
      expect(await send("a@shop.example", mask.email, "Subject: x\r\n\r\nx\r\n")).to.match(/^250/);
      delivery.wake();
      await until("it has left", () => sink.mails.length > before);
      return sink.mails.at(-1)?.from ?? "";
    };
    const notifications = () =>
      database()
        .db.selectFrom("notifications")
        .where("user_id", "!=", bystander.id)
        .select(["user_id", "priority", "message"])
        .execute();

    it("arrives at a bounce address of that mail, and notifies the owner once of the failure", async () => {
      const [one, other] = [await returnPath(), await returnPath()];
      expect(one).to.match(/^bounces\+[0-9a-f]+@masks\.example$/);
      expect(other).to.not.equal(one);
      for (const to of [one, one.toUpperCase()]) expect(await send("", to, failed)).to.match(/^250/);
      expect(await notifications()).to.deep.equal([
        {
          user_id: owner.id,
          priority: "high",
          message: `An email to ${mask.email} could not be forwarded: the server of your address refused it (550 5.1.1).`,
        },
      ]);
      const rows = await database()
        .db.selectFrom("queue")
        .where("user_id", "is distinct from", bystander.id)
        .select(["status", "recipient"])
        .execute();
      expect(rows.map(({ status }) => status)).to.include("failed");
      expect(rows).to.have.lengthOf(2);
    });

    it("notifies the owner also without status fields, in base64, and with a From that is no address", async () => {
      const forms = ["qmail", "Exim", "Postfix with a status in Base64", "a From that is no address"];
      for (const form of forms)
        expect(await send("", await returnPath(), failures[form]?.content ?? ""), form).to.match(/^250/);
      const sent = await notifications();
      expect(sent.map(({ message }) => /\(.*\)/.exec(message)?.[0])).to.have.members([
        "(550 5.1.1)",
        "(550 5.7.1)",
        "(550 5.1.1)",
        "(550 5.1.1)",
      ]);
    });

    it("reaches the owner through the mask when it is not understood, with a line in the log", async () => {
      const to = await returnPath();
      const lines: string[] = [];
      const log = pino({ level: "warn" }, { write: (line: string) => void lines.push(line) });
      const logging = await startListener(database(), undefined, { log });
      const client = await logging.connect();
      const before = sink.mails.length;
      const note = "From: mta@hop.example\r\nSubject: Hm\r\n\r\nYour mail? What mail?\r\n";
      expect(await client.mail("", [to], note)).to.match(/^250/);
      delivery.wake();
      await until("it has arrived", () => sink.mails.length > before);
      await logging.close();
      expect(sink.mails.at(-1)).to.include({ from: "", to: owner.email });
      expect(sink.mails.at(-1)?.content.toString()).to.include("What mail?");
      expect(await notifications()).to.deep.equal([]);
      expect(lines.map((line): unknown => JSON.parse(line))).to.have.lengthOf(1);
      expect(lines[0]).to.include("was not understood").and.not.include("@");
    });

    it("is taken and logged, but goes nowhere, when it is not understood and the mask is off or deleted", async () => {
      const paths = [await returnPath(), await returnPath()];
      const before = sink.mails.length;
      const { db } = database();
      for (const [n, change] of [{ active: 0 }, { deleted_at: 1 }].entries()) {
        await db.updateTable("masks").set(change).where("id", "=", mask.id).execute();
        expect(await send("", paths[n] ?? "", "Subject: Hm\r\n\r\nWhat mail?\r\n")).to.match(/^250/);
      }
      delivery.wake();
      await until("nothing waits", async () => {
        const waiting = db
          .selectFrom("queue")
          .where("user_id", "=", owner.id)
          .where("status", "=", "waiting");
        return (await waiting.select("id").execute()).length === 0;
      });
      expect(sink.mails.length).to.equal(before);
    });

    it("about a reply arrives at the mask also with a From that is no address", async () => {
      const before = sink.mails.length;
      const content = failures["a From that is no address"]?.content ?? "";
      expect(await send("postmaster@hop.example", mask.email, content)).to.match(/^550 5\.6\.0 /);
      expect(await send("", mask.email, content)).to.match(/^250/);
      delivery.wake();
      await until("it has arrived", () => sink.mails.length > before);
      expect(sink.mails.at(-1)?.content.toString()).to.include("Unknown sender");
    });

    it("causes no notification when it is a delay, or no report at all", async () => {
      const to = await returnPath();
      for (const content of [
        report("Action: delayed", "Status: 4.4.1"),
        report("Action: delivered", "Status: 2.0.0"),
        `From: ${owner.email}\r\nSubject: On holiday\r\nAuto-Submitted: auto-replied\r\n\r\nI am away.\r\n`,
        "",
      ])
        expect(await send("", to, content)).to.match(/^250/);
      expect(await notifications()).to.deep.equal([]);
    });

    it("is accepted from the null sender alone, and about mails of this server alone", async () => {
      const to = await returnPath();
      expect(await send("eve@shop.example", to, failed)).to.match(/^550 5\.1\.1 /);
      expect(await send("", `bounces+${"ab".repeat(20)}@${maskDomain}`, failed)).to.match(/^550 5\.1\.1 /);
      expect(await send("", `bounces+x@${maskDomain}`, failed)).to.match(/^550 5\.1\.1 /);
      expect(await notifications()).to.deep.equal([]);
    });

    it("passes a recipient check beforehand: bounce addresses exist for the null sender", async () => {
      for (const name of ["bounces", "no-reply"]) {
        expect(await send("", `${name}@${maskDomain}`, failed), name).to.match(/^250/);
        expect(await send("eve@shop.example", `${name}@${maskDomain}`, failed), name).to.match(
          /^550 5\.1\.1 /,
        );
      }
      expect(await notifications()).to.deep.equal([]);
      expect(
        await database()
          .db.selectFrom("queue")
          .where("user_id", "is distinct from", bystander.id)
          .select("id")
          .execute(),
      ).to.deep.equal([]);
    });
  });
});
