import { expect } from "chai";
import PostalMime from "postal-mime";
import { cryptoRandom } from "../../../../adapters/system/clockAndRandom.ts";
import { dayMs, hourMs, minuteMs } from "../../../../core/kernel/durations.ts";
import type { RuleAction } from "../../../../core/rules/model/action.ts";
import { createDigest } from "../../../../server/features/digest/digest.ts";
import type { Database } from "../../../../server/platform/store/database.ts";
import { createVirtualClock, startsAt, type VirtualClock } from "../../../fakes/virtualClock.ts";
import { bystander } from "../../support/bystander.ts";
import { onEachDatabase } from "../../support/databases.ts";
import { maskDomain, type RunningListener, silent, startListener } from "../../support/listener.ts";
import { addDestination, addOwner, type Owner, type TestMask } from "../../support/owners.ts";
import { addRuledMask } from "../../support/ruledMask.ts";
import { until } from "../../support/until.ts";

const second = "second@home.example";
const hourly: RuleAction = { type: "forward", params: { email: second, immediate: false, daily: false } };

describe("Mail that a rule sends once an hour", () => {
  onEachDatabase(({ database, another }) => {
    let clock: VirtualClock;
    let owner: Owner;
    let mask: TestMask;
    let relay: RunningListener;
    let stops: (() => void)[] = [];

    beforeEach(async () => {
      clock = createVirtualClock();
      owner = await addOwner(database().db, "business");
      await addDestination(database().db, { owner, email: second, confirmed: true });
      mask = await addRuledMask(database().db, owner, hourly);
      relay = await startListener(database(), clock);
    });
    afterEach(async () => {
      for (const stop of stops.splice(0)) stop();
      await relay.close();
    });

    const start = (on: Database): void => {
      const sender = { brand: "Bauta", maskDomain };
      const parts = { database: on, clock, random: cryptoRandom, log: silent, sender, onQueued: () => {} };
      stops = [...stops, createDigest(parts).start()];
    };
    const send = async (subject: string): Promise<void> => {
      const client = await relay.connect();
      const text = `From: Shop <orders@shop.example>\r\nSubject: ${subject}\r\n\r\nGrüße.\r\n`;
      expect(await client.mail("orders@shop.example", [mask.email], text)).to.match(/^250/);
    };
    const queued = () =>
      database()
        .db.selectFrom("queue")
        .where("user_id", "is distinct from", bystander.id)
        .selectAll()
        .orderBy("created_at")
        .execute();
    /** Lets minutes pass, in each of which there is a check unless the one before still queries the database. */
    const untilChecked = (what: string, holds: () => Promise<boolean>): Promise<void> =>
      until(what, async () => {
        await clock.advance(minuteMs);
        return holds();
      });
    const waiting = async () =>
      (
        await database()
          .db.selectFrom("digest_mails")
          .where("user_id", "!=", bystander.id)
          .select("id")
          .execute()
      ).length;

    it("waits for the end of the hour, and is then sent as attachments of one mail", async () => {
      start(database());
      for (const n of [1, 2, 3]) {
        await send(`Order ${n}`);
        await clock.advance(1_000);
      }
      await clock.advance(hourMs - 60_001 - 3_000);
      expect(await queued()).to.deep.equal([]);
      await untilChecked("the hourly mail is queued", async () => (await queued()).length > 0);
      const [mail, ...others] = await queued();
      expect(others).to.deep.equal([]);
      expect(mail?.created_at).to.be.at.least(startsAt + hourMs);
      expect(mail).to.deep.include({
        recipient: second,
        user_id: owner.id,
        envelope_sender: `bounces@${maskDomain}`,
      });
      const read = await PostalMime.parse(mail?.content ?? "", { forceRfc822Attachments: true });
      expect(read.subject).to.equal("3 emails to your masks in the last hour");
      expect(read.text).to.include("3 emails have come to your masks");
      const attached = await Promise.all(read.attachments.map(({ content }) => PostalMime.parse(content)));
      expect(attached.map(({ subject }) => subject)).to.deep.equal(["Order 1", "Order 2", "Order 3"]);
      expect(attached.map(({ text }) => text?.trim())).to.deep.equal(["Grüße.", "Grüße.", "Grüße."]);
      expect(await waiting()).to.equal(0);
    });

    it("names the masks, and ends when it comes back to one", async () => {
      const other = await addRuledMask(database().db, owner, hourly);
      start(database());
      await send("Order 1");
      await (await relay.connect()).mail(
        "a@shop.example",
        [other.email],
        "From: a@shop.example\r\n\r\nx\r\n",
      );
      const comeBack = async (n: number): Promise<string> => {
        await clock.advance(hourMs);
        await untilChecked("the hourly mail is queued", async () => (await queued()).length === n);
        const content = Buffer.from((await queued()).at(-1)?.content ?? "");
        const fields = content.toString().split("\r\n\r\n", 1).join("");
        expect(fields.match(/^X-Bauta-Mask: .*(?:\r\n .*)*/gm)).to.have.length(1);
        if (n === 1) for (const { email } of [mask, other]) expect(fields).to.include(email);
        return (await relay.connect()).mail("second@home.example", [mask.email], content);
      };
      expect(await comeBack(1)).to.match(/^250/);
      expect(await comeBack(2)).to.match(/^554 5\.4\.6/);
    });

    it("is sent once a day in the morning, where the rule says so, apart from the hourly mail", async () => {
      const daily: RuleAction = { type: "forward", params: { email: second, immediate: false, daily: true } };
      const newsletters = await addRuledMask(database().db, owner, daily);
      start(database());
      const sendTo = async (to: string, subject: string): Promise<void> => {
        const text = `From: Shop <orders@shop.example>\r\nSubject: ${subject}\r\n\r\nx\r\n`;
        const client = await relay.connect();
        expect(await client.mail("orders@shop.example", [to], text)).to.match(/^250/);
      };
      const subjects = async (): Promise<readonly string[]> =>
        Promise.all(
          (await queued()).map(async ({ content }) => (await PostalMime.parse(content ?? "")).subject ?? ""),
        );
      const sixOClock = (Math.floor(clock.now() / dayMs) + 1) * dayMs + 6 * hourMs;
      await sendTo(newsletters.email, "News 1");
      await sendTo(mask.email, "Order 1");
      await sendTo(newsletters.email, "News 2");
      await clock.advance(hourMs);
      await untilChecked("the hourly mail is queued", async () => (await queued()).length === 1);
      expect(await subjects()).to.deep.equal(["1 email to your masks in the last hour"]);
      while (clock.now() < sixOClock - hourMs) await clock.advance(hourMs);
      expect(await queued()).to.have.lengthOf(1);
      await clock.advance(hourMs);
      await untilChecked("the daily mail is queued", async () => (await queued()).length === 2);
      expect((await subjects())[1]).to.equal("2 emails to your masks in the last day");
      const [, mail] = await queued();
      expect(mail?.created_at).to.be.at.least(sixOClock);
      expect((await PostalMime.parse(mail?.content ?? "")).text).to.include("by a rule of yours once a day");
      expect(await waiting()).to.equal(0);
    });

    it("is sent after a restart when the server was down at the end of the hour", async () => {
      await send("Order 1");
      await clock.advance(5 * hourMs);
      start(database());
      await clock.advance(0);
      await until("the hourly mail is queued", async () => (await queued()).length === 1);
      expect(await waiting()).to.equal(0);
    });

    it("is sent once when two processes check at the same time, over 10 hours", async () => {
      start(database());
      start(await another());
      for (let hour = 0; hour < 10; hour += 1) {
        await send(`Order ${hour}`);
        await clock.advance(hourMs);
        await untilChecked("nothing of it waits", async () => (await waiting()) === 0);
      }
      const mails = await queued();
      const attached = await Promise.all(
        mails.map(
          async ({ content }) =>
            (await PostalMime.parse(content ?? "", { forceRfc822Attachments: true })).attachments,
        ),
      );
      expect(attached.flat()).to.have.lengthOf(10);
      expect(mails).to.have.lengthOf(10);
    });
  });
});
