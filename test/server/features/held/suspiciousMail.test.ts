import { expect } from "chai";
import type { HeldPage } from "../../../../core/held/heldMail.ts";
import { signed } from "../../relay/encrypt/signedMail.ts";
import { bystander } from "../../support/bystander.ts";
import { adaEmail, type HeldServer, letter, startHeldServer } from "../../support/heldServer.ts";
import { rule, setRules } from "../../support/ruledMask.ts";
import { everyStore, requireStore } from "../../support/stores.ts";
import { until } from "../../support/until.ts";

const news = letter("News <n@news.example>", [], "Verify your account");
const sender = "a@shop.example";

for (const store of everyStore)
  describe(`A mail that its domain asks to quarantine, on ${store.name}`, () => {
    let here: HeldServer;

    before(requireStore(store));
    beforeEach(async () => {
      here = await startHeldServer(store);
    });
    afterEach(() => here?.stop());

    const held = async (query = ""): Promise<HeldPage> =>
      (await here.ada.call("GET", `/held${query}`)).json as HeldPage;
    const decide = async (action: string, body: object = {}) => {
      const [mail] = (await held()).mails;
      const answer = await here.ada.call("POST", `/held/${mail?.id}/${action}`, { body });
      here.delivery.wake();
      return answer;
    };
    /** The mails that have arrived at masks and were forwarded. */
    const forwarded = () => here.sink.mails.filter(({ from }) => from.startsWith("bounces+"));
    const arrival = (count: number): Promise<void> =>
      until(`${count} have arrived`, () => {
        here.delivery.wake();
        return forwarded().length === count;
      });
    const bodies = () => here.server.database.db.selectFrom("bodies").select("id").execute();

    it("is held for its owner instead of forwarded, and counts once for the month", async () => {
      expect(await here.send(sender, news)).to.match(/^250/);
      expect(
        (await held()).mails.map(({ reason, from, subject, maskId }) => [reason, from, subject, maskId]),
      ).to.deep.equal([
        ["suspicious", { name: "News", address: "n@news.example" }, "Verify your account", here.mask.id],
      ]);
      expect(forwarded()).to.deep.equal([]);
      await decide("release");
      await arrival(1);
      expect(forwarded()[0]?.content.toString()).to.contain(
        "Subject: [Suspicious sender] Verify your account",
      );
      const usage = await here.server.database.db
        .selectFrom("monthly_usage")
        .where("user_id", "!=", bystander.id)
        .select(["received", "forwarded"])
        .executeTakeFirstOrThrow();
      expect([Number(usage.received), Number(usage.forwarded)]).to.deep.equal([1, 0]);
    });

    it("tells its owner once a day and mask", async () => {
      for (let count = 0; count < 3; count += 1) await here.send(sender, news);
      const { notifications } = (await here.ada.call("GET", "/notifications?limit=50")).json as {
        notifications: { message: string }[];
      };
      expect(notifications.map(({ message }) => message)).to.deep.equal([
        `Mail to ${here.mask.maskEmail} is held, because its sender is suspicious.`,
      ]);
    });

    it("is refused where its domain asks for that, and forwarded where the mask accepts unproven mail", async () => {
      expect(await here.send(sender, letter("Bank <b@bank.example>"))).to.match(/^550 5\.7\.1 /);
      await here.server.database.db
        .updateTable("masks")
        .where("user_id", "!=", bystander.id)
        .set({ accept_unproven: 1 })
        .execute();
      expect(await here.send(sender, news)).to.match(/^250/);
      await arrival(1);
      expect(forwarded()[0]?.content.toString()).to.contain("X-Bauta-Sender: suspicious");
      expect((await held()).mails).to.deep.equal([]);
    });

    it("goes to everybody that the rules chose when it is released, with its content stored once", async () => {
      const { db } = here.server.database;
      await here.ada.call("POST", "/destinations", { body: { email: "second@home.example" } });
      await db
        .updateTable("destinations")
        .where("user_id", "!=", bystander.id)
        .set({ confirmed_at: 1 })
        .execute();
      await setRules(db, { id: here.mask.id, email: "" }, [
        rule([
          { type: "forward", params: { email: "second@home.example", immediate: true, daily: false } },
          { type: "forward", params: { email: adaEmail, immediate: false, daily: false } },
        ]),
      ]);
      await here.send(sender, news);
      expect((await held()).mails).to.have.lengthOf(1);
      expect(await bodies()).to.have.lengthOf(1);
      await decide("release");
      await arrival(2);
      expect(forwarded().map(({ to }) => to)).to.have.members([adaEmail, "second@home.example"]);
      await until("its content is erased", async () => (await bodies()).length === 0);
    });

    it("is always allowed from a sender that its owner allows, at this mask alone, and still marked", async () => {
      const other = (await here.ada.call("POST", "/masks", { body: { description: "Other" } })).json as {
        maskEmail: string;
      };
      await here.send(sender, news);
      expect((await decide("allow")).status).to.equal(200);
      await arrival(1);
      await here.send(sender, news);
      await arrival(2);
      expect(forwarded()[1]?.content.toString()).to.contain("[unverified]");
      await here.send(sender, news, other.maskEmail);
      await here.send("n@news.example", letter("Other <o@news.example>"));
      expect((await held()).mails).to.have.lengthOf(2);
    });

    it("is refused with 550 from a sender that its owner blocks, in From or in the envelope, at this mask alone", async () => {
      const other = (await here.ada.call("POST", "/masks", { body: { description: "Other" } })).json as {
        maskEmail: string;
      };
      await here.send(sender, news);
      expect((await decide("block")).status).to.equal(200);
      expect((await held()).mails).to.deep.equal([]);
      expect(await bodies()).to.deep.equal([]);
      for (const [from, content] of [
        [sender, news],
        [sender, await signed(letter("N <N@News.example>"), "signed.example")],
        ["n@news.example", letter("Shop <orders@shop.example>")],
      ] as const)
        expect(await here.send(from, content)).to.match(/^550 5\.7\.1 The owner of this address/);
      expect(await here.send(sender, letter("Shop <orders@shop.example>"))).to.match(/^250/);
      expect(await here.send(sender, news, other.maskEmail)).to.match(/^250/);
    });

    it("may be allowed or blocked no more once its owner takes the sender off the list", async () => {
      const senders = async () => (await here.ada.call("GET", `/masks/${here.mask.id}/senders`)).json;
      await here.send(sender, news);
      await decide("block");
      expect(await senders()).to.deep.equal({ allow: [], block: ["n@news.example"] });
      const eve = await here.server.signIn("eve@home.example");
      expect((await eve.call("GET", `/masks/${here.mask.id}/senders`)).status).to.equal(404);
      const path = `/masks/${here.mask.id}/senders/${encodeURIComponent("n@news.example")}`;
      expect((await eve.call("DELETE", path)).status).to.equal(404);
      expect((await here.ada.call("DELETE", path)).status).to.equal(200);
      expect(await senders()).to.deep.equal({ allow: [], block: [] });
      expect(await here.send(sender, news)).to.match(/^250/);
      const rows = await here.server.database.db
        .selectFrom("mask_senders")
        .where("user_id", "!=", bystander.id)
        .selectAll()
        .execute();
      expect(JSON.stringify(rows)).not.to.contain("news.example");
    });

    it("has no subject in the list when it is encrypted to its owner's key", async () => {
      await here.stop();
      here = await startHeldServer(store, {
        findEncryption: async () => () => async () =>
          Buffer.from("From: x\r\nSubject: ...\r\n\r\nciphertext\r\n"),
      });
      await here.send(sender, news);
      expect((await held()).mails[0]).to.deep.include({ subject: null, reason: "suspicious" });
      const rows = await here.server.database.db.selectFrom("bodies").selectAll().execute();
      expect(Buffer.concat(rows.map(({ content }) => Buffer.from(content ?? []))).toString()).not.to.contain(
        "It is on its way",
      );
      await decide("release");
      await arrival(1);
      expect(forwarded()[0]?.content.toString()).to.contain("ciphertext");
    });

    it("is counted in the insights as held, released and expired", async () => {
      await here.stop();
      here = await startHeldServer(store);
      for (let count = 0; count < 3; count += 1) await here.send(sender, news);
      await decide("release");
      await decide("delete");
      const figures = async () =>
        ((await here.ada.call("GET", "/ai/insights")).json as { heldMail: object }).heldMail;
      expect(await figures()).to.deep.equal({ held: 3, released: 1, expired: 0 });
      const { verdicts } = (await here.ada.call("GET", "/ai/insights")).json as { verdicts: object };
      expect(verdicts).to.include({ "spf=pass": 3, "dkim=none": 3, "dmarc=fail": 3 });
    });
  });
