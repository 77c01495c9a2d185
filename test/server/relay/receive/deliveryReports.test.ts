import { expect } from "chai";
import { parseBounceReport } from "../../../../server/delivery/bounces.ts";
import { createNextHopTransport } from "../../../../server/delivery/nextHopTransport.ts";
import { asSent, onInputs } from "../../../support/corpora.ts";
import { bystander } from "../../support/bystander.ts";
import { onEachDatabase } from "../../support/databases.ts";
import { maskDomain } from "../../support/listener.ts";
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
          message: `A mail to ${mask.email} could not be forwarded: the server of your address refused it (550 5.1.1).`,
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

    it("causes no notification when it is a delay, or no report at all", async () => {
      const to = await returnPath();
      for (const content of [
        report("Action: delayed", "Status: 4.4.1"),
        report("Action: delivered", "Status: 2.0.0"),
        "Subject: On holiday\r\nAuto-Submitted: auto-replied\r\n\r\nAction: failed\r\n",
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

describe("Reports in the formats of other servers", () => {
  onInputs(["bounces"], ({ areSamples, files }) => {
    it("are read as failures, unless they are about a delay", () => {
      const read = files("bounces").map(({ name, content }) => [
        name,
        parseBounceReport(asSent(content))?.answer.replace(/ .*/, "") ?? null,
      ]);
      expect(Object.fromEntries(read)).to.deep.equal(
        areSamples
          ? {
              "delayed.eml": null,
              "full-mailbox.eml": "552",
              "two-recipients.eml": "550",
              "unknown-mailbox.eml": "550",
            }
          : {
              "delayed_dsn.raw": null,
              "dsn_with_multipart_alternative.raw": "550",
              "multi_recipient_dsn.raw": "550",
              "simple_dsn.raw": "426",
              "simple_dsn_with_html.raw": "426",
            },
      );
    });
  });
});
