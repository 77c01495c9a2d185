import { expect } from "chai";
import { dayMs, hourMs } from "../../../../core/kernel/durations.ts";
import type { Mask } from "../../../../core/masks/mask.ts";
import { bystander } from "../../support/bystander.ts";
import { type HeldServer, letter, startHeldServer } from "../../support/heldServer.ts";
import { pruneAll } from "../../support/serverContext.ts";
import { everyStore, requireStore } from "../../support/stores.ts";

const sender = "a@shop.example";
const mail = letter("Shop <a@shop.example>");

for (const store of everyStore)
  describe(`A mask that expires, on ${store.name}`, () => {
    let here: HeldServer;

    before(requireStore(store));
    beforeEach(async () => {
      here = await startHeldServer(store);
    });
    afterEach(() => here?.stop());

    const change = (expiry: object | null) =>
      here.ada.call("PUT", `/masks/${here.mask.id}`, { body: { expiry } });
    const expire = async (expiry: object | null): Promise<Mask> => {
      const { status, json, text } = await change(expiry);
      expect(status, text).to.equal(200);
      return json as Mask;
    };
    /** The senders of these tests are not proven. */
    const acceptUnproven = () =>
      here.server.database.db
        .updateTable("masks")
        .where("user_id", "!=", bystander.id)
        .set({ accept_unproven: 1 })
        .execute();
    /** Reads the row, because a long wait ends the session. */
    const row = () =>
      here.server.database.db
        .selectFrom("masks")
        .where("id", "=", here.mask.id)
        .selectAll()
        .executeTakeFirstOrThrow();
    const messages = async (): Promise<readonly string[]> =>
      (
        await here.server.database.db
          .selectFrom("notifications")
          .where("user_id", "!=", bystander.id)
          .select("message")
          .orderBy("id")
          .execute()
      ).map(({ message }) => message);
    const houseKeeping = (): Promise<void> => pruneAll(here.server.database, here.server.clock.now());
    const wait = async (ms: number): Promise<void> => {
      here.server.clock.advance(ms);
      await houseKeeping();
    };
    const end = (action: string): object => JSON.parse(`{"then":"${action}"}`) as object;

    it("says when, and refuses an expiry without a condition or with impossible ones", async () => {
      const at = here.server.clock.now() + dayMs;
      expect((await expire({ at, mails: 3, ...end("hold") })).expiry).to.deep.equal({
        at,
        mails: 3,
        mailsLeft: 3,
        ...end("hold"),
      });
      for (const wrong of [
        end("disable"),
        { firstSender: false, ...end("disable") },
        { mails: 0, ...end("disable") },
        { at, lastDay: "2020-01-01", ...end("disable") },
        { at, lastDay: "soon", ...end("disable") },
        { mails: 1.5, ...end("disable") },
        { idleDays: 4_000, ...end("disable") },
        { at: 1e20, ...end("disable") },
        { mails: 1, ...end("explode") },
        { mails: 1 },
      ])
        expect((await change(wrong)).status, JSON.stringify(wrong)).to.equal(400);
      const before = here.server.clock.now();
      const { idleAt } = (await expire({ idleDays: 2, ...end("hold") })).expiry ?? {};
      expect(idleAt).to.be.within(before + 2 * dayMs, here.server.clock.now() + 2 * dayMs);
      expect((await expire(null)).expiry).to.equal(null);
    });

    it("goes on counting when the same expiry is saved again, and begins anew with another", async () => {
      await expire({ mails: 3, ...end("disable") });
      await here.send(sender, mail);
      expect((await expire({ mails: 3, mailsLeft: 99, ...end("disable") })).expiry?.mailsLeft).to.equal(2);
      expect((await expire({ mails: 4, ...end("disable") })).expiry?.mailsLeft).to.equal(4);
    });

    it("takes exactly its number of mails, also when many come at the same time", async () => {
      await expire({ mails: 7, ...end("disable") });
      const answers = await Promise.all(Array.from({ length: 20 }, () => here.send(sender, mail)));
      expect(answers.filter((answer) => answer.startsWith("250"))).to.have.lengthOf(7);
      expect(await here.send(sender, mail)).to.match(/^550 5\.2\.1 /);
      const { active, statistics, expiry } = (await here.ada.call("GET", `/masks/${here.mask.id}`))
        .json as Mask;
      expect([active, expiry, statistics?.totalReceived]).to.deep.equal([false, null, 7]);
      expect(await messages()).to.deep.equal([
        `The mask ${here.mask.maskEmail} has expired: it has received its 7 emails. It is switched off.`,
      ]);
    });

    it("warns of the last tenth of its mails", async () => {
      await expire({ mails: 12, ...end("disable") });
      for (let sent = 0; sent < 11; sent += 1) await here.send(sender, mail);
      expect(await messages()).to.deep.equal([
        `The mask ${here.mask.maskEmail} expires after one more email.`,
      ]);
    });

    it("is switched off when its date has come, not before, and warns once 3 days before", async () => {
      await expire({ at: here.server.clock.now() + 10 * dayMs, ...end("disable") });
      await wait(6 * dayMs);
      expect(await messages()).to.deep.equal([]);
      await wait(1.5 * dayMs);
      await wait(dayMs);
      expect((await messages()).map((text) => text.replace(/ on .*/, ""))).to.deep.equal([
        `The mask ${here.mask.maskEmail} expires`,
      ]);
      expect((await row()).active).to.equal(1);
      await wait(1.5 * dayMs);
      expect((await row()).active).to.equal(0);
      expect((await messages()).at(-1)).to.equal(
        `The mask ${here.mask.maskEmail} has expired: its date has come. It is switched off.`,
      );
    });

    it("is warned of by the day that ends where its owner lives, whatever day it is in UTC", async () => {
      const lastDay = new Date(here.server.clock.now() + 8 * dayMs).toISOString().slice(0, 10);
      const midnightInNewYork = Date.parse(lastDay) + dayMs + 5 * hourMs;
      await expire({ at: midnightInNewYork, lastDay, ...end("disable") });
      await wait(7 * dayMs);
      const shown = new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeZone: "UTC" });
      expect(await messages()).to.deep.equal([
        `The mask ${here.mask.maskEmail} expires on ${shown.format(Date.parse(lastDay))}.`,
      ]);
    });

    it("takes no mail after its date, even before the next housekeeping", async () => {
      await expire({ at: here.server.clock.now() + dayMs, ...end("disable") });
      expect(await here.send(sender, mail)).to.match(/^250/);
      here.server.clock.advance(dayMs);
      expect(await here.send(sender, mail)).to.match(/^550 5\.2\.1 /);
      expect((await row()).active).to.equal(0);
    });

    it("is switched off after days without mail; each mail begins them anew", async () => {
      await expire({ idleDays: 5, ...end("hold") });
      await wait(4 * dayMs);
      expect((await messages())[0]).to.match(/ unless mail comes\.$/);
      expect(await here.send(sender, mail)).to.match(/^250/);
      await wait(4 * dayMs);
      expect((await row()).active).to.equal(1);
      await wait(dayMs);
      expect(await row()).to.deep.include({ active: 0, when_off: "hold", expiry: null });
      expect(await here.send(sender, mail)).to.match(/^250/);
      expect((await messages()).at(-1)).to.contain("is held, because the mask is switched off");
    });

    it("is deleted when that is chosen, gives its place back, and can be restored without its expiry", async () => {
      await expire({ mails: 1, ...end("delete") });
      expect(await here.send(sender, mail)).to.match(/^250/);
      expect(await here.send(sender, mail)).to.match(/^550 5\.1\.1 /);
      const user = await here.server.database.db
        .selectFrom("users")
        .where("id", "!=", bystander.id)
        .select("mask_count")
        .executeTakeFirstOrThrow();
      expect(user.mask_count).to.equal(0);
      const restored = await here.ada.call("POST", `/masks/${here.mask.id}/restore`, { body: {} });
      expect(restored.json).to.deep.include({ active: true, expiry: null });
      expect(await here.send(sender, mail)).to.match(/^250/);
    });

    it("locks to who writes first: the domain, or the address at a mailbox provider", async () => {
      await expire({ firstSender: true, ...end("disable") });
      expect(await here.send(sender, mail)).to.match(/^250/);
      const mask = (await here.ada.call("GET", `/masks/${here.mask.id}`)).json as Mask;
      expect([mask.expiry, mask.senders]).to.deep.equal([
        null,
        { mode: "listed", allow: ["shop.example"], block: [] },
      ]);
      expect(await here.send("b@shop.example", letter("Shop <b@mail.shop.example>"))).to.match(/^250/);
      expect(await here.send("b@other.example", letter("Other <b@other.example>"))).to.match(/^550 5\.7\.1 /);
      await here.ada.call("PUT", `/masks/${here.mask.id}`, {
        body: { senders: { mode: "all", allow: [] }, expiry: { firstSender: true, ...end("hold") } },
      });
      await here.send("x@gmail.com", letter("X <X@gmail.com>"));
      const unproven = (await here.ada.call("GET", `/masks/${here.mask.id}`)).json as Mask;
      expect(unproven.senders, "locks to proven senders only").to.deep.include({ mode: "all", allow: [] });
      await acceptUnproven();
      await here.send("x@gmail.com", letter("X <X@gmail.com>"));
      expect(((await here.ada.call("GET", `/masks/${here.mask.id}`)).json as Mask).senders).to.deep.equal({
        mode: "approve",
        allow: ["x@gmail.com"],
        block: [],
      });
    });

    it("locks to one sender when several write at the same time", async () => {
      await expire({ firstSender: true, mails: 50, ...end("disable") });
      await acceptUnproven();
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, n) => here.send(`a@s${n}.example`, letter(`S <a@s${n}.example>`))),
      );
      expect(answers.filter((answer) => answer.startsWith("250"))).to.have.lengthOf(1);
      const mask = (await here.ada.call("GET", `/masks/${here.mask.id}`)).json as Mask;
      expect(mask.senders?.allow).to.have.lengthOf(1);
      expect(mask.expiry).to.deep.equal({ mails: 50, mailsLeft: 49, ...end("disable") });
    });
  });
