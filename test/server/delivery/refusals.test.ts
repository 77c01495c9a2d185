import { expect } from "chai";
import { createNextHopTransport } from "../../../server/delivery/nextHopTransport.ts";
import type { Transport } from "../../../server/delivery/transport.ts";
import { bystander } from "../support/bystander.ts";
import { onEachDatabase } from "../support/databases.ts";
import { addMask, addOwner } from "../support/owners.ts";
import { queueMail, type RunningDelivery, startDelivery } from "../support/runningDelivery.ts";
import { type Sink, startSink } from "../support/sink.ts";
import { createTestClock, type TestClock } from "../support/testClock.ts";
import { until } from "../support/until.ts";

const minute = 60_000;
const day = 24 * 60 * minute;
const contentFor = (mask: string): Buffer =>
  Buffer.from(`X-Bauta-Mask: ${mask}\r\nFrom: a\r\nSubject: x\r\n\r\nx\r\n`);

describe("A mail that the next hop refuses", () => {
  onEachDatabase(({ database }) => {
    let sink: Sink;
    let clock: TestClock;
    let running: RunningDelivery | undefined;

    beforeEach(async () => {
      sink = await startSink();
      clock = createTestClock(undefined, { stands: true });
    });
    afterEach(async () => {
      await running?.stop();
      await sink.close();
    });

    const begin = (port = sink.port): RunningDelivery => {
      const hop = { host: "127.0.0.1", port, secure: false };
      running = startDelivery(database(), createNextHopTransport(hop, "masks.example", 4), clock);
      return running;
    };

    const row = (id: string) =>
      database().db.selectFrom("queue").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
    const statusOf = async (id: string) => (await row(id)).status;
    const notifications = () =>
      database().db.selectFrom("notifications").where("user_id", "!=", bystander.id).selectAll().execute();

    it("is retried after 1 minute when the refusal is temporary", async () => {
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

    it("is retried within seconds after a next hop that hung for longer than the wait", async () => {
      const transport: Transport = {
        send: async () => {
          clock.advance(10 * minute);
          return { kind: "temporary", answer: "ETIMEDOUT: the server took too long" };
        },
        abort: () => {},
      };
      running = startDelivery(database(), transport, clock);
      const id = await queueMail(database().db, {}, clock.now());
      running.wake();
      await until("it failed for now", async () => (await row(id)).last_answer !== null);
      expect((await row(id)).next_attempt_at - clock.now()).to.be.within(1, minute / 4);
    });

    it("is retried when no server listens", async () => {
      const delivery = begin(1);
      const id = await queueMail(database().db, {}, clock.now());
      delivery.wake();
      await until("it failed for now", async () => (await row(id)).last_answer !== null);
      expect(await row(id)).to.include({ status: "waiting", attempts: 1 });
      expect((await row(id)).last_answer).to.match(/ECONNREFUSED|ESOCKET/);
    });

    it("is held after 5 days, and its owner gets a notification after 4 hours and at the end", async () => {
      sink.onContent = () => "452 4.2.2 mailbox full";
      const owner = await addOwner(database().db);
      const mask = await addMask(database().db, owner);
      const delivery = begin();
      const first = clock.now();
      const id = await queueMail(
        database().db,
        { userId: owner.id, maskId: mask.id, recipient: owner.email, content: contentFor(mask.email) },
        first,
      );
      const waits: number[] = [];
      const told: number[] = [];
      for (let tries = 1; (await statusOf(id)) === "waiting"; tries += 1) {
        delivery.wake();
        await until("it was tried", async () => {
          const { attempts, lease } = await row(id);
          return attempts === tries && lease === null;
        });
        const wait = (await row(id)).next_attempt_at - clock.now();
        waits.push(Math.round(wait / minute));
        if ((await notifications()).length > told.length)
          told.push(Math.round((clock.now() - first) / minute));
        clock.advance(wait);
      }
      expect(waits.slice(0, 10)).to.deep.equal([1, 2, 4, 8, 16, 32, 60, 60, 57, 60]);
      expect(told, "the owner is told of the delay after 4 hours").to.deep.equal([240, 5 * 24 * 60]);
      expect(clock.now() - first).to.be.within(5 * day, 5 * day + minute);
      expect(await row(id)).to.include({ status: "held" });
      expect((await row(id)).content, "it is not lost").not.to.equal(null);
      const messages = await notifications();
      expect(
        messages.map(({ user_id, type, priority, message }) => ({ user_id, type, priority, message })),
      ).to.deep.equal([
        {
          user_id: owner.id,
          type: "warning",
          priority: "normal",
          message: `The email “x” from a to ${mask.email} is delayed: the server of your address answered “452 4.2.2 mailbox full”. Delivery is retried for 5 days in all.`,
        },
        {
          user_id: owner.id,
          type: "error",
          priority: "high",
          message: `The email “x” from a to ${mask.email} could not be forwarded: it was tried for 5 days (452 4.2.2). The email is held for 7 days.`,
        },
      ]);
    });

    it("is held when the refusal is permanent, and its owner gets a notification and an event without the refusal's text", async () => {
      sink.onContent = () => "550 5.7.1 spam from a@shop.example to secret@home.example, call 555-1234";
      const owner = await addOwner(database().db);
      const mask = await addMask(database().db, owner);
      const content = contentFor(mask.email);
      const mail = { userId: owner.id, maskId: mask.id, recipient: owner.email, content };
      const id = await queueMail(database().db, mail, clock.now());
      const delivery = begin();
      await until("it is held", async () => (await statusOf(id)) === "held");
      const { last_answer, attempts } = await row(id);
      expect(last_answer).to.match(/^550 5\.7\.1 spam from \[address\] to \[address\]/);
      expect(attempts).to.equal(1);
      const [messages] = await notifications();
      expect(messages).to.include({
        user_id: owner.id,
        priority: "high",
        message: `The email “x” from a to ${mask.email} could not be forwarded: the server of your address refused it (550 5.7.1). The email is held for 7 days.`,
      });
      const events = await database()
        .db.selectFrom("events")
        .where("user_id", "!=", bystander.id)
        .selectAll()
        .execute();
      expect(
        events.map(({ user_id, resource, resource_id }) => [user_id, resource, resource_id]),
      ).to.deep.equal([
        [owner.id, "held", id],
        [owner.id, "notifications", String(messages?.id)],
      ]);
      await until("it was announced", () => delivery.announcements() === 1);
    });

    it("causes no notification when it is a mail of the service, and does not delay the next mail", async () => {
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
  });
});
