import { expect } from "chai";
import type { HeldPage } from "../../../../core/held/heldMail.ts";
import { dayMs } from "../../../../core/kernel/durations.ts";
import type { Mask } from "../../../../core/masks/mask.ts";
import { bystander } from "../../support/bystander.ts";
import { adaEmail, type HeldServer, letter, startHeldServer } from "../../support/heldServer.ts";
import { rule, setRules } from "../../support/ruledMask.ts";
import { everyStore, requireStore } from "../../support/stores.ts";
import { until } from "../../support/until.ts";

const sender = "a@shop.example";
const mail = letter("Shop <a@shop.example>");

for (const store of everyStore)
  describe(`Mail to a mask that is switched off, on ${store.name}`, () => {
    let here: HeldServer;

    before(requireStore(store));
    beforeEach(async () => {
      here = await startHeldServer(store);
    });
    afterEach(() => here?.stop());

    const edit = async (change: object): Promise<Mask> => {
      const { status, json, text } = await here.ada.call("PUT", `/masks/${here.mask.id}`, { body: change });
      expect(status, text).to.equal(200);
      return json as Mask;
    };
    const held = async (): Promise<HeldPage> => (await here.ada.call("GET", "/held")).json as HeldPage;
    const messages = async (): Promise<readonly string[]> =>
      (
        await here.server.database.db
          .selectFrom("notifications")
          .where("user_id", "!=", bystander.id)
          .select("message")
          .orderBy("id", "desc")
          .execute()
      ).map(({ message }) => message);
    const forwarded = () => here.sink.mails.filter(({ from }) => from.startsWith("bounces+"));

    it("is refused unless its owner says otherwise, and nobody is told", async () => {
      expect((await edit({ active: false })).whenOff).to.equal("refuse");
      expect(await here.send(sender, mail)).to.match(/^550 5\.2\.1 /);
      expect(await messages()).to.deep.equal([]);
    });

    it("is told of once a day when its owner wants that, and only while the mask is off", async () => {
      await edit({ settings: { notifyWhenOff: true } });
      expect(await here.send(sender, mail)).to.match(/^250/);
      expect(await messages()).to.deep.equal([]);
      await edit({ active: false });
      for (let count = 0; count < 3; count += 1) await here.send(sender, mail);
      const text = `Mail came to ${here.mask.maskEmail} while it was switched off.`;
      expect(await messages()).to.deep.equal([`${text} It was refused.`]);
      await edit({ whenOff: "drop" });
      await here.send(sender, mail);
      expect(await messages()).to.have.lengthOf(1);
      here.server.clock.advance(dayMs + 1);
      await here.send(sender, mail);
      expect(await messages()).to.deep.equal([`${text} It was dropped.`, `${text} It was refused.`]);
    });

    it("is taken and dropped, and counts as blocked", async () => {
      await edit({ active: false, whenOff: "drop" });
      expect(await here.send(sender, mail)).to.match(/^250/);
      const { statistics } = (await here.ada.call("GET", `/masks/${here.mask.id}`)).json as Mask;
      expect(statistics).to.include({ totalReceived: 1, totalForwarded: 0, spamBlocked: 1 });
      expect((await held()).mails).to.deep.equal([]);
      expect(
        await here.server.database.db
          .selectFrom("queue")
          .select("id")
          .where("mask_id", "=", here.mask.id)
          .execute(),
      ).to.deep.equal([]);
    });

    it("is held, told of, and arrives when its owner releases it", async () => {
      await edit({ active: false, whenOff: "hold" });
      expect(await here.send(sender, mail)).to.match(/^250/);
      const { mails } = await held();
      expect(mails.map(({ reason, maskId }) => [reason, maskId])).to.deep.equal([["off", here.mask.id]]);
      expect(await messages()).to.deep.equal([
        `Mail to ${here.mask.maskEmail} is held, because the mask is switched off.`,
      ]);
      expect((await here.ada.call("POST", `/held/${mails[0]?.id}/release`, { body: {} })).status).to.equal(
        200,
      );
      await until("it has arrived", () => {
        here.delivery.wake();
        return forwarded().length === 1;
      });
      expect(forwarded()[0]?.to).to.equal(adaEmail);
    });

    it("is held even where a rule would archive and announce it, and is refused where a rule blocks it", async () => {
      const { db } = here.server.database;
      await edit({ active: false, whenOff: "hold" });
      await setRules(db, { id: here.mask.id, email: "" }, [
        rule([
          { type: "archive", params: { markAsRead: false } },
          { type: "notify", params: { message: "Look" } },
        ]),
      ]);
      await here.send(sender, mail);
      expect((await held()).mails).to.have.lengthOf(1);
      expect(
        await db.selectFrom("archived_mails").where("user_id", "!=", bystander.id).select("id").execute(),
      ).to.deep.equal([]);
      expect(await messages()).not.to.include("Look");
      await setRules(db, { id: here.mask.id, email: "" }, [
        rule([{ type: "block", params: { silentBlock: false } }]),
      ]);
      expect(await here.send(sender, mail)).to.match(/^550 5\.7\.1 /);
      expect((await held()).mails).to.have.lengthOf(1);
    });

    it("is refused while the plan or the operator keeps the mask off", async () => {
      const { db } = here.server.database;
      await edit({ active: false, whenOff: "hold" });
      await db.updateTable("masks").where("user_id", "!=", bystander.id).set({ paused: 1 }).execute();
      expect(await here.send(sender, mail)).to.match(/^550 5\.2\.1 /);
      await db.updateTable("masks").where("user_id", "!=", bystander.id).set({ paused: 0 }).execute();
      await db.updateTable("users").where("id", "!=", bystander.id).set({ suspended: 1 }).execute();
      expect(await here.send(sender, mail)).to.match(/^550 5\.2\.1 /);
    });
  });
