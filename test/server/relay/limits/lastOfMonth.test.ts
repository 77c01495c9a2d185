import { expect } from "chai";
import { bystander } from "../../support/bystander.ts";
import { onEachDatabase } from "../../support/databases.ts";
import { addMask } from "../../support/owners.ts";
import { plainMail as mail } from "../../support/plainMail.ts";
import { useRelay } from "../../support/relay.ts";
import { until } from "../../support/until.ts";

const sender = "orders@shop.example";

describe("The last mail of the month in a plan", () => {
  onEachDatabase(({ database }) => {
    const { owner, mask, relay } = useRelay(database, "free");
    beforeEach(async () => {
      const used = { received: 99, forwarded: 99, blocked: 0, announced: 80 };
      await database()
        .db.insertInto("monthly_usage")
        .values({ user_id: owner.id, month: "2026-11", ...used })
        .execute();
    });

    const queued = async () =>
      (
        await database()
          .db.selectFrom("queue")
          .where("user_id", "is distinct from", bystander.id)
          .select("id")
          .execute()
      ).length;

    /** Returns the answer to another sender who wants the last mail of the month, and then resets the transaction. */
    const ask = async (): Promise<string> => {
      const client = await relay.connect();
      const [answer = ""] = await client.envelope(sender, [mask.email]);
      await client.say("RSET");
      return answer.slice(0, 9);
    };
    const askWhileTimePasses = async (): Promise<string> => {
      let answered: string | undefined;
      const pending = ask().then((answer) => {
        answered = answer;
      });
      await until("it is answered", async () => {
        await relay.clock.advance(1_000);
        return answered !== undefined;
      });
      await pending;
      return answered ?? "";
    };
    /** Waits until the server delays the answer to another sender, which it does for at most 5 s. */
    const somebodyWaits = (): Promise<void> =>
      until("somebody waits for an answer", () => relay.clock.dueWithin(5_000) > 0);
    const hold = async () => {
      const client = await relay.connect();
      expect((await client.envelope(sender, [mask.email]))[0]).to.match(/^250/);
      return client;
    };

    it("is reserved for the first sender until RSET, and others get a temporary error", async () => {
      const first = await hold();
      expect(await askWhileTimePasses()).to.equal("450 4.2.2");
      await first.say("RSET");
      expect(await ask()).to.equal("250 2.1.5");
    });

    it("is followed by a permanent refusal as soon as it is stored", async () => {
      const first = await hold();
      const pending = ask();
      await somebodyWaits();
      await first.say("DATA");
      first.write(`${mail}.\r\n`);
      expect(await first.reply()).to.match(/^250/);
      expect(await pending).to.equal("552 5.2.2");
    });

    it("is refused to a second mask of the same owner in the same mail", async () => {
      const other = await addMask(database().db, owner);
      const client = await relay.connect();
      const answers = await client.envelope(sender, [mask.email, other.email]);
      expect(answers.map((answer) => answer.slice(0, 9))).to.deep.equal(["250 2.1.5", "552 5.2.2"]);
    });

    it("is available again when its sender repeats EHLO, or disconnects before or during the content", async () => {
      const first = await hold();
      const second = ask();
      await first.say("EHLO again.example");
      expect(await second).to.equal("250 2.1.5");
      await first.envelope(sender, [mask.email]);
      const third = ask();
      await somebodyWaits();
      first.destroy();
      expect(await third).to.equal("250 2.1.5");
      const last = await relay.connect();
      await last.envelope(sender, [mask.email]);
      await last.say("DATA");
      last.write("From: Shop <orders@shop.example>\r\n");
      const fourth = ask();
      await somebodyWaits();
      last.destroy();
      expect(await fourth).to.equal("250 2.1.5");
      expect(await queued()).to.equal(0);
    });

    it("is available again when the mail is refused for its content", async () => {
      const client = await hold();
      await client.say("DATA");
      client.write(`X-Bauta-Mask: a\r\nX-Bauta-Mask: b\r\n${mail}.\r\n`);
      expect(await client.reply()).to.match(/^554 5\.4\.6/);
      expect(await ask()).to.equal("250 2.1.5");
    });
  });
});
