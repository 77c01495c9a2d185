import { expect } from "chai";
import type { HeldPage } from "../../../../core/held/heldMail.ts";
import type { KeptSpace } from "../../../../server/delivery/queue/keptSpace.ts";
import { noRoomMessages } from "../../../../server/features/notifications/noRoomNotice.ts";
import { bystander } from "../../support/bystander.ts";
import { type HeldServer, letter, startHeldServer } from "../../support/heldServer.ts";
import { addMask, addOwner, type TestMask } from "../../support/owners.ts";
import { everyStore, requireStore } from "../../support/stores.ts";
import { until } from "../../support/until.ts";

const mebibyte = 1024 * 1024;
const line = `${"x".repeat(998)}\r\n`;
/** A mail of about one MiB that claims a domain which asks to quarantine it. */
const forged = (name = "n"): string =>
  letter(`News <${name}@news.example>`) + line.repeat(mebibyte / line.length);
const proven = letter("Shop <orders@shop.example>");
const noRoomToKeep = /^452 4\.2\.2 The owner of this address would have to decide/;
const tooMuchWaits = /^452 4\.2\.2 Too much mail to this address is waiting/;

for (const store of everyStore)
  describe(`The room for mail that is kept, on ${store.name}`, () => {
    let here: HeldServer;
    let other: TestMask;
    /** What is free on the disk beside what is kept. */
    let free = 24 * mebibyte;
    let trusted: readonly string[] = [];

    const space: KeptSpace = { free: async () => free };
    const start = async (): Promise<void> => {
      here = await startHeldServer(store, {
        keptSpace: space,
        trustedNetworks: trusted,
        senderLimits: { perMinute: 10_000, perHour: 10_000, dailyShare: 100 },
      });
      other = await addMask(here.server.database.db, await addOwner(here.server.database.db, "self_hosted"), {
        email: "other@masks.test",
      });
    };

    before(requireStore(store));
    beforeEach(async () => {
      free = 24 * mebibyte;
      trusted = [];
      await start();
    });
    afterEach(() => here?.stop());

    const held = async (): Promise<HeldPage["mails"]> =>
      ((await here.ada.call("GET", "/held")).json as HeldPage).mails;
    const notices = async (message: string): Promise<number> =>
      (
        (await here.ada.call("GET", "/notifications?limit=50")).json as {
          notifications: { message: string }[];
        }
      ).notifications.filter((one) => one.message === message).length;
    const forge = (name = "n"): Promise<string> => here.send(`${name}@news.example`, forged(name));
    const kinds = (answers: readonly string[]): readonly string[] =>
      answers.map((answer) => answer.slice(0, 3));

    it("is, for one network, half of the third of the free space that an account has; then mail gets 452", async () => {
      const answers = await Promise.all(Array.from({ length: 12 }, (_, n) => forge(`n${n}`)));
      expect(kinds(answers).toSorted()).to.deep.equal([...Array(3).fill("250"), ...Array(9).fill("452")]);
      for (const answer of answers.filter((one) => !one.startsWith("250")))
        expect(answer).to.match(noRoomToKeep);
      expect(await held()).to.have.lengthOf(3);
    });

    it("lets mail that is sent on, and mail of others, go on", async () => {
      for (let n = 0; n < 5; n += 1) await forge(`n${n}`);
      expect(await forge()).to.match(noRoomToKeep);
      expect(await here.send("orders@shop.example", proven)).to.match(/^250/);
      expect(await here.send("n@news.example", letter("News <n@news.example>"), other.email)).to.match(
        /^250/,
      );
    });

    it("tells the owner once, and in the log of their mail each time", async () => {
      await here.server.database.db
        .updateTable("users")
        .where("id", "!=", bystander.id)
        .set({ mail_log: "address" })
        .execute();
      for (let n = 0; n < 7; n += 1) await forge(`n${n}`);
      expect(await notices(noRoomMessages.kept)).to.equal(1);
      const refused = () =>
        here.server.database.db
          .selectFrom("log_entries")
          .where("result", "=", "rejected")
          .selectAll()
          .execute();
      await until("each refused mail is logged", async () => (await refused()).length === 4);
    });

    it("is free again when the owner deletes mail", async () => {
      for (let n = 0; n < 4; n += 1) await forge(`n${n}`);
      expect(await forge("n3"), "now before the content").to.match(noRoomToKeep);
      const [first] = await held();
      expect((await here.ada.call("POST", `/held/${first?.id}/delete`)).status).to.equal(200);
      expect(await forge("n3")).to.match(/^250/);
      expect(await forge("n4")).to.match(noRoomToKeep);
    });

    it("is free again when a released mail was delivered", async () => {
      for (let n = 0; n < 4; n += 1) await forge(`n${n}`);
      const [first] = await held();
      expect((await here.ada.call("POST", `/held/${first?.id}/release`, { body: {} })).status).to.equal(200);
      await until("it was delivered", async () => {
        here.delivery.wake();
        return here.sink.mails.some(({ from }) => from.startsWith("bounces+"));
      });
      await until("it is counted no more", async () => (await forge("n9")).startsWith("250"));
    });

    it("refuses a mail to several once, then takes it for those who have room", async () => {
      for (let n = 0; n < 4; n += 1) await forge(`n${n}`);
      const client = await here.relay.connect();
      const both = [here.mask.maskEmail, other.email];
      expect(await client.mail("m@news.example", both, forged("m"))).to.match(noRoomToKeep);
      expect(await client.say("MAIL FROM:<m@news.example>")).to.match(/^250/);
      expect(await client.say(`RCPT TO:<${here.mask.maskEmail}>`)).to.match(noRoomToKeep);
      expect(await client.say(`RCPT TO:<${other.email}>`)).to.match(/^250/);
      client.destroy();
    });

    it("is the whole room of the account for networks that are trusted", async () => {
      await here.stop();
      trusted = ["loopback"];
      await start();
      await here.ada.call("PUT", `/masks/${here.mask.id}`, { body: { senders: { mode: "approve" } } });
      const answers = [];
      for (let n = 0; n < 9; n += 1) answers.push(await forge(`n${n}`));
      expect(kinds(answers)).to.deep.equal([...Array(7).fill("250"), "452", "452"]);
    });

    it("counts what waits for a server that does not answer, and ends at twice as much", async () => {
      here.sink.onContent = () => "450 4.2.0 later";
      const large = proven + line.repeat(mebibyte / line.length);
      const answers = [];
      for (let n = 0; n < 10; n += 1) {
        answers.push(await here.send("orders@shop.example", large));
        here.delivery.wake();
      }
      expect(kinds(answers)).to.deep.equal([...Array(7).fill("250"), ...Array(3).fill("452")]);
      expect(answers.at(-1)).to.match(tooMuchWaits);
    });

    it("refuses what is sent on only when twice as much waits", async () => {
      const { db } = here.server.database;
      const { user_id } = await db
        .selectFrom("masks")
        .where("id", "=", here.mask.id)
        .select("user_id")
        .executeTakeFirstOrThrow();
      const keep = async (bytes: number): Promise<void> => {
        await db.deleteFrom("kept_bytes").where("user_id", "!=", bystander.id).execute();
        await db.insertInto("kept_bytes").values({ user_id, network: "", bytes, archived: 0 }).execute();
      };
      await keep(15 * mebibyte);
      expect(await here.send("orders@shop.example", proven)).to.match(/^250/);
      await keep(16 * mebibyte);
      expect(await here.send("orders@shop.example", proven)).to.match(tooMuchWaits);
      expect(await notices(noRoomMessages.waits)).to.equal(1);
    });
  });
