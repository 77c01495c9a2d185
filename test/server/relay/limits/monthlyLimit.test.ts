import { expect } from "chai";
import { createVirtualClock, startsAt } from "../../../fakes/virtualClock.ts";
import { bystander } from "../../support/bystander.ts";
import { onEachDatabase } from "../../support/databases.ts";
import { type RunningListener, startListener } from "../../support/listener.ts";
import { addMask, addOwner, type Owner, type TestMask } from "../../support/owners.ts";
import { plainMail as mail } from "../../support/plainMail.ts";

const sender = "orders@shop.example";

describe("The monthly mails of a plan (D34)", () => {
  onEachDatabase(({ database, another }) => {
    let owner: Owner;
    let mask: TestMask;
    let relay: RunningListener;

    beforeEach(async () => {
      owner = await addOwner(database().db, "free");
      mask = await addMask(database().db, owner);
      relay = await startListener(database());
    });
    afterEach(() => relay.close());

    const use = (received: number) =>
      database()
        .db.insertInto("monthly_usage")
        .values({
          user_id: owner.id,
          month: "2026-11",
          received,
          forwarded: received,
          blocked: 0,
          announced: 0,
        })
        .execute();

    const used = () =>
      database()
        .db.selectFrom("monthly_usage")
        .selectAll()
        .where("user_id", "=", owner.id)
        .executeTakeFirst();

    const queued = async () =>
      (
        await database()
          .db.selectFrom("queue")
          .where("user_id", "is distinct from", bystander.id)
          .select("id")
          .execute()
      ).length;

    const notifications = () =>
      database()
        .db.selectFrom("notifications")
        .select(["type", "priority", "message"])
        .where("user_id", "=", owner.id)
        .orderBy("id")
        .execute();

    const sendMany = async (port: RunningListener, count: number): Promise<readonly string[]> => {
      const client = await port.connect();
      const answers: string[] = [];
      for (let sent = 0; sent < count; sent += 1) answers.push(await client.mail(sender, [mask.email], mail));
      return answers;
    };

    const codes = (answers: readonly string[]): Readonly<Record<string, number>> => {
      const counts: Record<string, number> = {};
      for (const answer of answers) {
        const code = answer.slice(0, 9);
        counts[code] = (counts[code] ?? 0) + 1;
      }
      return counts;
    };

    it("are exactly 100 of 160 mails over 20 connections on Free, and the others are refused at RCPT", async () => {
      const senders = Array.from({ length: 20 }, () => sendMany(relay, 8));
      const answers = (await Promise.all(senders)).flat();
      expect(codes(answers)).to.deep.equal({ "250 2.6.0": 100, "552 5.2.2": 60 });
      expect(await queued()).to.equal(100);
      expect(await used()).to.include({ received: 100, forwarded: 100, month: "2026-11" });
    });

    it("are exactly 100 where two processes receive mail for the same user", async () => {
      const second = await startListener(await another());
      try {
        const senders = Array.from({ length: 16 }, (_, index) => sendMany(index % 2 ? relay : second, 10));
        const answers = (await Promise.all(senders)).flat();
        expect(answers.filter((answer) => answer.startsWith("250"))).to.have.lengthOf(100);
        expect(answers.filter((answer) => !/^250|^552 5\.2\.2|^450 4\.2\.2/.test(answer))).to.deep.equal([]);
        expect(await queued()).to.equal(100);
        expect(await used()).to.include({ received: 100 });
      } finally {
        await second.close();
      }
    });

    it("notify the owner once at 80 % and once at 100 %, with an event for each", async () => {
      await use(78);
      await sendMany(relay, 25);
      expect(await notifications()).to.deep.equal([
        { type: "warning", priority: "normal", message: "80% of this month's emails are used: 80 of 100." },
        {
          type: "warning",
          priority: "high",
          message:
            "All 100 emails of this month are used. New mail to your masks is refused until December 1. Since November 13 most came from shop.example (22).",
        },
      ]);
      const events = await database()
        .db.selectFrom("events")
        .where("user_id", "!=", bystander.id)
        .select(["resource", "action"])
        .execute();
      expect(events.filter(({ resource }) => resource === "notifications")).to.deep.equal([
        { resource: "notifications", action: "created" },
        { resource: "notifications", action: "created" },
      ]);
    });

    it("are counted from zero in the next month", async () => {
      await use(100);
      await relay.close();
      const clock = createVirtualClock();
      await clock.advance(Date.parse("2026-12-01T00:00:00Z") - startsAt);
      relay = await startListener(database(), clock);
      expect(codes(await sendMany(relay, 1))).to.deep.equal({ "250 2.6.0": 1 });
    });

    it("are deferred, and nothing is kept, where another process receives the last mail meanwhile", async () => {
      const other = await addOwner(database().db, "free");
      const others = await addMask(database().db, other);
      await use(99);
      const client = await relay.connect();
      expect(
        (await client.envelope(sender, [others.email, mask.email])).every((a) => a.startsWith("250")),
      ).to.equal(true);
      await (await another()).db
        .updateTable("monthly_usage")
        .where("user_id", "!=", bystander.id)
        .set({ received: 100 })
        .execute();
      await client.say("DATA");
      client.write(`${mail}.\r\n`);
      expect(await client.reply()).to.match(/^450 4\.2\.2 /);
      expect(await queued()).to.equal(0);
      const othersUsage = database()
        .db.selectFrom("monthly_usage")
        .where("user_id", "=", other.id)
        .selectAll();
      expect(await othersUsage.execute()).to.deep.equal([]);
      expect((await client.envelope(sender, [mask.email]))[0]).to.match(/^552 5\.2\.2 /);
    });
  });
});
