import { expect } from "chai";
import type { Clock } from "../../../core/ports/clock.ts";
import { createNextHopTransport } from "../../../server/delivery/nextHopTransport.ts";
import { toReturnPath } from "../../../server/delivery/ownAddresses.ts";
import type { Database } from "../../../server/store/database.ts";
import { createVirtualClock, startsAt } from "../../fakes/virtualClock.ts";
import { onEachDatabase, usePostgresql } from "../support/databases.ts";
import { queueMail, type RunningDelivery, startDelivery } from "../support/runningDelivery.ts";
import { type Sink, startSink } from "../support/sink.ts";
import { createTestClock, type TestClock } from "../support/testClock.ts";
import { until } from "../support/until.ts";

const minute = 60_000;
const day = 24 * 60 * minute;

describe("Delivery to the next hop", () => {
  onEachDatabase(({ database, another }) => {
    let sink: Sink;
    let clock: TestClock;
    let running: RunningDelivery[];

    beforeEach(async () => {
      sink = await startSink();
      clock = createTestClock();
      running = [];
    });
    afterEach(async () => {
      for (const delivery of running) await delivery.stop();
      await sink.close();
    });

    const begin = (on: Database = database(), time: Clock = clock): RunningDelivery => {
      const hop = { host: "127.0.0.1", port: sink.port, secure: false };
      const delivery = startDelivery(on, createNextHopTransport(hop, "masks.example", 4), time);
      running.push(delivery);
      return delivery;
    };

    const row = (id: string) =>
      database().db.selectFrom("queue").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
    const statusOf = async (id: string) => (await row(id)).status;

    it("sends what is queued when it is woken, without its interval, and marks it", async () => {
      const delivery = begin(database(), createVirtualClock());
      await until("it is ready", delivery.ready);
      const id = await queueMail(database().db, { recipient: "a@home.example" }, startsAt);
      delivery.wake();
      await until("it has arrived", async () => (await statusOf(id)) === "delivered");
      expect(sink.mails.map(({ from, to }) => [from, to])).to.deep.equal([
        [toReturnPath("bounces@masks.example", id), "a@home.example"],
      ]);
      expect(await row(id)).to.include({ content: null, attempts: 1, lease: null });
    });

    it("sends what another process has queued within a second, without being woken", async () => {
      const delivery = begin();
      await until("it is ready", delivery.ready);
      const id = await queueMail((await another()).db, {}, clock.now());
      await until("it has arrived", async () => (await statusOf(id)) === "delivered");
    });

    it("sends the bytes as they are, dots and long lines too, and the null sender as such", async () => {
      const content = Buffer.from(`Subject: x\r\n\r\n.\r\n..\r\n.x\r\n${"ä".repeat(3_000)}\r\n\r\n.\r\n\r\n`);
      await queueMail(database().db, { content, envelopeSender: "" }, clock.now());
      begin();
      await until("it has arrived", () => sink.mails.length === 1);
      expect(sink.mails[0]?.content.equals(content)).to.equal(true);
      expect(sink.mails[0]?.from).to.equal("");
    });

    it("reaches addresses in other scripts (SMTPUTF8)", async () => {
      const recipients = ["jörg@köln.example", "info@köln.example"];
      for (const recipient of recipients) await queueMail(database().db, { recipient }, clock.now());
      begin();
      await until("they have arrived", () => sink.mails.length === 2);
      expect(sink.mails.map(({ to }) => to).sort()).to.deep.equal(recipients.toSorted());
    });

    it("keeps a few connections and sends all mails over them", async () => {
      for (let count = 0; count < 60; count += 1) await queueMail(database().db, {}, clock.now());
      begin();
      await until("all have arrived", () => sink.mails.length === 60);
      expect(sink.connections()).to.be.within(1, 4);
    });

    it("takes over what a process that died was sending", async () => {
      const id = await queueMail(database().db, {}, clock.now());
      await database().db.updateTable("queue").set({ lease: "dead", attempts: 1 }).execute();
      begin();
      await until("it has arrived", async () => (await statusOf(id)) === "delivered");
      expect(await row(id)).to.include({ attempts: 2 });
    });

    it("forgets after 7 days what was delivered", async () => {
      const id = await queueMail(database().db, {}, clock.now());
      const delivery = begin();
      await until("it has arrived", async () => (await statusOf(id)) === "delivered");
      await delivery.stop();
      running = [];
      clock.advance(7 * day - minute);
      await begin().stop();
      expect(await statusOf(id)).to.equal("delivered");
      clock.advance(2 * minute);
      begin();
      await until(
        "it is gone",
        async () => (await database().db.selectFrom("queue").select("id").execute()).length === 0,
      );
    });
  });
});

describe("Two processes that deliver", () => {
  // Only one process uses a SQLite file.
  const { database, another } = usePostgresql();

  it("send each mail once where they empty the same queue", async () => {
    const sink = await startSink();
    const hop = { host: "127.0.0.1", port: sink.port, secure: false };
    const clock = createTestClock();
    for (let count = 0; count < 120; count += 1)
      await queueMail(database().db, { recipient: `r${count}@home.example` }, clock.now());
    const running = [database(), await another()].map((on) =>
      startDelivery(on, createNextHopTransport(hop, "masks.example", 4), clock),
    );
    await until("all have arrived", async () => {
      const left = await database()
        .db.selectFrom("queue")
        .select("id")
        .where("status", "=", "waiting")
        .execute();
      return left.length === 0;
    });
    for (const delivery of running) await delivery.stop();
    await sink.close();
    expect(sink.mails.map(({ to }) => to).sort()).to.deep.equal(
      Array.from({ length: 120 }, (_, count) => `r${count}@home.example`).sort(),
    );
  });
});
