import { expect } from "chai";
import type { Clock } from "../../../core/ports/clock.ts";
import { createNextHopTransport } from "../../../server/delivery/nextHopTransport.ts";
import { toReturnPath } from "../../../server/delivery/serviceAddresses.ts";
import type { Database } from "../../../server/platform/store/database.ts";
import { createVirtualClock, startsAt } from "../../fakes/virtualClock.ts";
import { bystander } from "../support/bystander.ts";
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

    it("sends queued mail as soon as it is woken, and marks it as delivered", async () => {
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

    it("sends mail queued by another process within a second, without being woken", async () => {
      const delivery = begin();
      await until("it is ready", delivery.ready);
      const id = await queueMail((await another()).db, {}, clock.now());
      await until("it has arrived", async () => (await statusOf(id)) === "delivered");
    });

    it("sends the bytes unchanged, dots and long lines included, and keeps a null sender", async () => {
      const content = Buffer.from(`Subject: x\r\n\r\n.\r\n..\r\n.x\r\n${"ä".repeat(3_000)}\r\n\r\n.\r\n\r\n`);
      await queueMail(database().db, { content, envelopeSender: "" }, clock.now());
      begin();
      await until("it has arrived", () => sink.mails.length === 1);
      expect(sink.mails[0]?.content.equals(content)).to.equal(true);
      expect(sink.mails[0]?.from).to.equal("");
    });

    it("reaches addresses with non-ASCII characters (SMTPUTF8)", async () => {
      const recipients = ["jörg@köln.example", "info@köln.example"];
      for (const recipient of recipients) await queueMail(database().db, { recipient }, clock.now());
      begin();
      await until("they have arrived", () => sink.mails.length === 2);
      expect(sink.mails.map(({ to }) => to).sort()).to.deep.equal(recipients.toSorted());
    });

    it("sends all mails over a few reused connections", async () => {
      for (let count = 0; count < 60; count += 1) await queueMail(database().db, {}, clock.now());
      begin();
      await until("all have arrived", () => sink.mails.length === 60);
      expect(sink.connections()).to.be.within(1, 4);
    });

    it("takes over the mails of a process that died while sending", async () => {
      const id = await queueMail(database().db, {}, clock.now());
      await database()
        .db.updateTable("queue")
        .where("user_id", "is distinct from", bystander.id)
        .set({ lease: "dead", attempts: 1 })
        .execute();
      begin();
      await until("it has arrived", async () => (await statusOf(id)) === "delivered");
      expect(await row(id)).to.include({ attempts: 2 });
    });

    it("removes delivered mails after 7 days", async () => {
      const id = await queueMail(database().db, {}, clock.now());
      const delivery = begin();
      await until("it has arrived", async () => (await statusOf(id)) === "delivered");
      await delivery.stop();
      running = [];
      // What another process has finished lately is not done again on PostgreSQL.
      const isShared = database().engine.name === "postgresql";
      const finishTask = async (): Promise<void> => {
        const finished = database().db.deleteFrom("tasks").where("finished_at", ">", 0);
        await until(
          "what is old was looked for",
          async () => !isShared || (await finished.executeTakeFirst()).numDeletedRows > 0n,
        );
      };
      await finishTask();
      clock.advance(7 * day - minute);
      const second = begin();
      await finishTask();
      await second.stop();
      expect(await statusOf(id)).to.equal("delivered");
      // PostgreSQL drops all mail of a day together.
      clock.advance(isShared ? day + 2 * minute : 2 * minute);
      begin();
      await until(
        "it is gone",
        async () =>
          (
            await database()
              .db.selectFrom("queue")
              .where("user_id", "is distinct from", bystander.id)
              .select("id")
              .execute()
          ).length === 0,
      );
    });
  });
});

describe("Two delivering processes", () => {
  // Only one process uses a SQLite file.
  const { database, another } = usePostgresql();

  it("send each mail once when they share a queue", async () => {
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
