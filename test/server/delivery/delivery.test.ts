import { expect } from "chai";
import { nextHopDeparture } from "../../../server/delivery/nextHopDeparture.ts";
import type { Database } from "../../../server/store/database.ts";
import { onEachDatabase } from "../support/databases.ts";
import { addMask, addOwner } from "../support/owners.ts";
import { queueMail, type RunningDelivery, startDelivery } from "../support/runningDelivery.ts";
import { type Sink, startSink } from "../support/sink.ts";
import { makeTestClock, type TestClock } from "../support/testClock.ts";
import { until } from "../support/until.ts";

const minute = 60_000;
const day = 24 * 60 * minute;

describe("Delivery to the next hop", function () {
  this.timeout(20_000);

  onEachDatabase(({ database, another }) => {
    let sink: Sink;
    let clock: TestClock;
    let running: RunningDelivery[];

    beforeEach(async () => {
      sink = await startSink();
      clock = makeTestClock();
      running = [];
    });
    afterEach(async () => {
      for (const delivery of running) await delivery.stop();
      await sink.close();
    });

    const begin = (on: Database = database(), port = sink.port): RunningDelivery => {
      const hop = { host: "127.0.0.1", port, secure: false };
      const delivery = startDelivery(on, nextHopDeparture(hop, "masks.example", 4), clock);
      running.push(delivery);
      return delivery;
    };

    const row = (id: string) =>
      database().db.selectFrom("queue").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
    const statusOf = async (id: string) => (await row(id)).status;
    const notifications = () => database().db.selectFrom("notifications").selectAll().execute();

    it("sends what is queued at once when it is woken, and marks it at once", async () => {
      const delivery = begin();
      await until("it is ready", delivery.ready);
      const before = performance.now();
      const id = await queueMail(database().db, { recipient: "a@home.example" }, clock.now());
      delivery.wake();
      await until("it has arrived", async () => (await statusOf(id)) === "delivered");
      expect(performance.now() - before).to.be.lessThan(900);
      expect(sink.mails.map(({ from, to }) => [from, to])).to.deep.equal([
        ["bounces@masks.example", "a@home.example"],
      ]);
      expect(await row(id)).to.include({ content: null, attempts: 1, lease: null });
    });

    it("sends what another process has queued within a second, without being woken", async () => {
      const delivery = begin();
      await until("it is ready", delivery.ready);
      const id = await queueMail((await another()).db, {}, clock.now());
      await until("it has arrived", async () => (await statusOf(id)) === "delivered", 2_500);
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

    it("sends each mail once where two processes empty the same queue", async () => {
      const ids = [];
      for (let count = 0; count < 120; count += 1)
        ids.push(await queueMail(database().db, { recipient: `r${count}@home.example` }, clock.now()));
      begin();
      begin(await another());
      await until("all have arrived", async () => {
        const left = await database()
          .db.selectFrom("queue")
          .select("id")
          .where("status", "=", "waiting")
          .execute();
        return left.length === 0;
      });
      expect(sink.mails.map(({ to }) => to).sort()).to.deep.equal(
        ids.map((_, count) => `r${count}@home.example`).sort(),
      );
    });

    it("tries again after 1 minute what is refused for now", async () => {
      sink.onRecipient = ({ tries }) => (tries === 1 ? "451 4.3.0 later, <a@home.example>" : null);
      const delivery = begin();
      const id = await queueMail(database().db, { recipient: "a@home.example" }, clock.now());
      delivery.wake();
      await until("it was refused", async () => (await row(id)).last_answer !== null);
      const refused = await row(id);
      expect(refused).to.include({ status: "waiting", attempts: 1, lease: null });
      expect(refused.last_answer).to.match(/^451 4\.3\.0 later, <\[address\]>/);
      expect(refused.next_attempt_at - clock.now()).to.be.within(minute - 2_000, minute);
      clock.advance(minute - 5_000);
      delivery.wake();
      await until("it looked", delivery.ready);
      expect(sink.mails).to.have.lengthOf(0);
      clock.advance(5_000);
      delivery.wake();
      await until("it has arrived", async () => (await statusOf(id)) === "delivered");
      expect(await row(id)).to.include({ attempts: 2 });
    });

    it("tries again where nobody listens, or where the next hop hangs up", async () => {
      const delivery = begin(database(), 1);
      const id = await queueMail(database().db, {}, clock.now());
      delivery.wake();
      await until("it failed for now", async () => (await row(id)).last_answer !== null);
      expect(await row(id)).to.include({ status: "waiting", attempts: 1 });
      expect((await row(id)).last_answer).to.match(/ECONNREFUSED|ESOCKET/);
    });

    it("gives up after 5 days and tells the owner", async function () {
      this.timeout(60_000);
      sink.onContent = () => "452 4.2.2 mailbox full";
      const owner = await addOwner(database().db);
      const mask = await addMask(database().db, owner);
      const delivery = begin();
      const first = clock.now();
      const id = await queueMail(
        database().db,
        { userId: owner.id, maskId: mask.id, recipient: owner.email },
        first,
      );
      const waits: number[] = [];
      for (let tries = 1; (await statusOf(id)) === "waiting"; tries += 1) {
        delivery.wake();
        await until("it was tried", async () => {
          const { attempts, lease } = await row(id);
          return attempts === tries && lease === null;
        });
        const wait = (await row(id)).next_attempt_at - clock.now();
        waits.push(Math.round(wait / minute));
        clock.advance(wait);
      }
      expect(waits.slice(0, 10)).to.deep.equal([1, 2, 4, 8, 16, 32, 64, 128, 240, 240]);
      expect(clock.now() - first).to.be.within(5 * day, 5 * day + minute);
      expect(await row(id)).to.include({ status: "failed", content: null });
      const told = await notifications();
      expect(
        told.map(({ user_id, type, priority, message }) => ({ user_id, type, priority, message })),
      ).to.deep.equal([
        {
          user_id: owner.id,
          type: "error",
          priority: "high",
          message: `A mail to ${mask.email} could not be forwarded: it was tried for 5 days (452 4.2.2).`,
        },
      ]);
    });

    it("fails what is refused for good, and tells the owner with an event, without the refusal's words", async () => {
      sink.onContent = () => "550 5.7.1 spam from a@shop.example to secret@home.example, call 555-1234";
      const owner = await addOwner(database().db);
      const mask = await addMask(database().db, owner);
      const mail = { userId: owner.id, maskId: mask.id, recipient: owner.email };
      const id = await queueMail(database().db, mail, clock.now());
      const delivery = begin();
      await until("it failed", async () => (await statusOf(id)) === "failed");
      const { last_answer, content, attempts } = await row(id);
      expect(last_answer).to.match(/^550 5\.7\.1 spam from \[address\] to \[address\]/);
      expect([content, attempts]).to.deep.equal([null, 1]);
      const [told] = await notifications();
      expect(told).to.include({
        user_id: owner.id,
        priority: "high",
        message: `A mail to ${mask.email} could not be forwarded: the server of your address refused it (550 5.7.1).`,
      });
      const events = await database().db.selectFrom("events").selectAll().execute();
      expect(
        events.map(({ user_id, resource, resource_id }) => [user_id, resource, resource_id]),
      ).to.deep.equal([[owner.id, "notifications", String(told?.id)]]);
      await until("it was announced", () => delivery.announcements() === 1);
    });

    it("tells nobody of mail of our own that is refused, and goes on with the next", async () => {
      sink.onRecipient = ({ to }) => (to === "gone@home.example" ? "550 5.1.1 unknown" : null);
      const gone = await queueMail(database().db, { recipient: "gone@home.example" }, clock.now());
      const good = await queueMail(database().db, { recipient: "good@home.example" }, clock.now());
      begin();
      await until(
        "both are done",
        async () => (await statusOf(gone)) === "failed" && (await statusOf(good)) === "delivered",
      );
      expect(await notifications()).to.deep.equal([]);
    });

    it("takes over what a process that died was sending, once its minute is over", async () => {
      const id = await queueMail(database().db, {}, clock.now());
      await database()
        .db.updateTable("queue")
        .set({ lease: "dead", leased_until: clock.now() + minute, attempts: 1 })
        .execute();
      const delivery = begin();
      await until("it is ready", delivery.ready);
      expect(await statusOf(id)).to.equal("waiting");
      clock.advance(minute);
      delivery.wake();
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
