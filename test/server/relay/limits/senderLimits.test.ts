import { expect } from "chai";
import { dayMs } from "../../../../core/kernel/durations.ts";
import type { Tier } from "../../../../core/tiers/tier.ts";
import { pruneSenderDays } from "../../../../server/relay/limits/dailyShare.ts";
import { createVirtualClock, startsAt } from "../../../fakes/virtualClock.ts";
import { bystander } from "../../support/bystander.ts";
import { onEachDatabase } from "../../support/databases.ts";
import { type DnsStub, startDnsStub, type Zone } from "../../support/dnsStub.ts";
import { type ListenerOptions, type RunningListener, startListener } from "../../support/listener.ts";
import { addMask, addOwner, type TestMask } from "../../support/owners.ts";
import { plainMail } from "../../support/plainMail.ts";

/** shop.example is proven from 127.0.0.1 and 127.0.0.2 only, one.example and two.example from everywhere. */
const zone: Zone = {
  "shop.example": { TXT: ["v=spf1 ip4:127.0.0.1 ip4:127.0.0.2 -all"] },
  "one.example": { TXT: ["v=spf1 ip4:127.0.0.0/8 -all"] },
  "two.example": { TXT: ["v=spf1 ip4:127.0.0.0/8 -all"] },
};
const shop = "orders@shop.example";
const many = { perMinute: 100_000, perHour: 100_000, dailyShare: 25 };

const codesOf = (answers: readonly string[]): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (const answer of answers) counts[answer.slice(0, 9)] = (counts[answer.slice(0, 9)] ?? 0) + 1;
  return counts;
};

describe("Mail from one sender's domain or network", () => {
  let dns: DnsStub;
  before(async () => {
    dns = await startDnsStub(zone);
  });
  after(() => dns.close());

  onEachDatabase(({ database, another }) => {
    let relays: RunningListener[] = [];
    afterEach(async () => {
      for (const relay of relays.splice(0)) await relay.close();
    });

    /** Starts a relay for which no network is trusted, unless a test says so. */
    const start = async (
      options: ListenerOptions = {},
      on = database(),
      clock = createVirtualClock(),
    ): Promise<RunningListener> => {
      const relay = await startListener(on, clock, {
        dnsServer: dns.address,
        trustedNetworks: [],
        ...options,
      });
      relays = [...relays, relay];
      return relay;
    };
    const maskOf = async (tier: Tier): Promise<TestMask> => {
      const owner = await addOwner(database().db, tier);
      return addMask(database().db, owner);
    };
    const send = async (
      relay: RunningListener,
      mask: TestMask,
      count: number,
      { sender = shop, from = "127.0.0.1" } = {},
    ): Promise<Readonly<Record<string, number>>> => {
      const client = await relay.connect(undefined, from);
      const answers: string[] = [];
      for (let sent = 0; sent < count; sent += 1)
        answers.push(await client.mail(sender, [mask.email], plainMail));
      client.destroy();
      return codesOf(answers);
    };
    const waiting = async () =>
      (
        await database()
          .db.selectFrom("queue")
          .where("user_id", "is distinct from", bystander.id)
          .select("id")
          .execute()
      ).length;

    it("is at most 60 mails a minute to an account, and the next are answered 450 4.7.1 at RCPT", async () => {
      const relay = await start();
      const owner = await addOwner(database().db, "self_hosted");
      const [mask, other] = [await addMask(database().db, owner), await addMask(database().db, owner)];
      expect(await send(relay, mask, 30)).to.deep.equal({ "250 2.6.0": 30 });
      expect(await send(relay, other, 40, { sender: "orders@eu.shop.example" })).to.deep.equal({
        "250 2.6.0": 30,
        "450 4.7.1": 10,
      });
      const client = await relay.connect();
      expect(await client.envelope("x@elsewhere.example", [mask.email]), "the network").to.deep.equal([
        "450 4.7.1 Too much mail to this address from this sender's domain or network at the moment; try again later",
      ]);
      const elsewhere = { sender: "x@elsewhere.example", from: "127.0.0.2" };
      expect(await send(relay, mask, 1, elsewhere)).to.deep.equal({ "250 2.6.0": 1 });
      expect(await send(relay, await maskOf("self_hosted"), 1)).to.deep.equal({ "250 2.6.0": 1 });
      await relay.clock.advance(70_000);
      expect(await send(relay, mask, 1)).to.deep.equal({ "250 2.6.0": 1 });
    });

    it("is exactly 60 of 200 mails that 50 connections send at once", async () => {
      const relay = await start();
      const mask = await maskOf("self_hosted");
      const all = await Promise.all(Array.from({ length: 50 }, () => send(relay, mask, 4)));
      const taken = all.reduce((sum, codes) => sum + (codes["250 2.6.0"] ?? 0), 0);
      const deferred = all.reduce((sum, codes) => sum + (codes["450 4.7.1"] ?? 0), 0);
      expect([taken, deferred, await waiting()]).to.deep.equal([60, 140, 60]);
    });

    it("is counted for neither while a mail is not sent after its recipient was accepted", async () => {
      const relay = await start({ senderLimits: { ...many, perMinute: 1 } });
      const mask = await maskOf("self_hosted");
      const client = await relay.connect();
      for (let n = 0; n < 5; n += 1) {
        expect((await client.envelope(shop, [mask.email]))[0]).to.match(/^250/);
        await client.say("RSET");
      }
      expect(await send(relay, mask, 2)).to.deep.equal({ "250 2.6.0": 1, "450 4.7.1": 1 });
    });

    it("is not limited where the network is trusted, as this machine is by default", async () => {
      const relay = await start({ trustedNetworks: ["loopback"] });
      expect(await send(relay, await maskOf("free"), 100)).to.deep.equal({ "250 2.6.0": 100 });
    });

    it("is at most a quarter of the plan's month in a day, also after a restart", async () => {
      const mask = await maskOf("free");
      expect(await send(await start(), mask, 20)).to.deep.equal({ "250 2.6.0": 20 });
      const relay = await start();
      expect(await send(relay, mask, 10)).to.deep.equal({ "250 2.6.0": 5, "450 4.7.1": 5 });
      expect(await send(relay, mask, 1, { from: "127.0.0.2" }), "from elsewhere").to.deep.equal({
        "450 4.7.1": 1,
      });
      expect(await send(relay, mask, 1, { sender: "x@one.example" })).to.deep.equal({ "250 2.6.0": 1 });
      await relay.clock.advance(dayMs);
      expect(await send(relay, mask, 30)).to.deep.equal({ "250 2.6.0": 25, "450 4.7.1": 5 });
    });

    it("is a whole day's mail again after midnight, and the counts of earlier days are deleted", async () => {
      const mask = await maskOf("free");
      const relay = await start();
      await send(relay, mask, 25);
      const days = () =>
        database()
          .db.selectFrom("sender_days")
          .where("user_id", "!=", bystander.id)
          .select(["day", "source", "received"])
          .execute();
      expect(await days()).to.deep.equal([
        { day: "2026-11-20", source: "domain:shop.example", received: 25 },
      ]);
      await pruneSenderDays(database().db, startsAt + dayMs);
      expect(await days()).to.deep.equal([]);
    });

    it("is exactly 25 of 200 mails that 50 connections send to two processes at once", async () => {
      const mask = await maskOf("free");
      const first = await start({ senderLimits: many });
      const second = await start({ senderLimits: many }, await another());
      const all = await Promise.all(
        Array.from({ length: 50 }, (_, n) => send(n % 2 ? first : second, mask, 4)),
      );
      const taken = all.reduce((sum, codes) => sum + (codes["250 2.6.0"] ?? 0), 0);
      expect([taken, await waiting()]).to.deep.equal([25, 25]);
    });

    it("is not used up by somebody else who only claims to write from there", async () => {
      const mask = await maskOf("free");
      const relay = await start({ senderLimits: many });
      const forger = { from: "127.0.0.9" };
      expect(await send(relay, mask, 30, forger)).to.deep.equal({ "250 2.6.0": 25, "450 4.7.1": 5 });
      expect(
        await send(relay, mask, 1, { ...forger, sender: "x@invented.example" }),
        "his network",
      ).to.deep.equal({
        "450 4.7.1": 1,
      });
      expect(await send(relay, mask, 10)).to.deep.equal({ "250 2.6.0": 10 });
    });

    it("has no daily share in a plan without a monthly limit", async () => {
      const relay = await start({ senderLimits: many });
      expect(await send(relay, await maskOf("self_hosted"), 100)).to.deep.equal({ "250 2.6.0": 100 });
    });

    it("is named to the owner when the month is used up", async () => {
      const owner = await addOwner(database().db, "free");
      const mask = await addMask(database().db, owner);
      const relay = await start({ trustedNetworks: ["loopback"] });
      const letter = (from: string): string => `From: ${from}\r\nSubject: Hello\r\n\r\nHello.\r\n`;
      const client = await relay.connect();
      for (let n = 0; n < 100; n += 1) {
        const from = n < 60 ? `a@n${n % 3}.flood.example` : n < 90 ? "b@two.example" : "c@one.example";
        await client.mail("x@anywhere.example", [mask.email], letter(from));
      }
      expect(await client.mail("x@anywhere.example", [mask.email], letter("c@one.example"))).to.match(
        /^552 5\.2\.2/,
      );
      const { message } = await database()
        .db.selectFrom("notifications")
        .where("user_id", "!=", bystander.id)
        .select("message")
        .where("priority", "=", "high")
        .executeTakeFirstOrThrow();
      expect(message).to.equal(
        "All 100 emails of this month are used. New mail to your masks is refused until December 1. Since November 13 most came from flood.example (60), two.example (30), and one.example (10).",
      );
    });
  });
});
