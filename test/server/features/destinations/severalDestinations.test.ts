import { expect } from "chai";
import { mailboxKey } from "../../../../core/mail/emailAddress.ts";
import type { Mask } from "../../../../core/masks/mask.ts";
import { redirectFurtherDestinations } from "../../../../server/features/destinations/furtherDestinations.ts";
import { bystander } from "../../support/bystander.ts";
import { adaEmail, type HeldServer, letter, startHeldServer } from "../../support/heldServer.ts";
import { rule, setRules } from "../../support/ruledMask.ts";
import { everyStore, requireStore } from "../../support/stores.ts";
import { until } from "../../support/until.ts";

const mail = letter("Shop <a@shop.example>");
const second = "second@home.example";
const third = "third@home.example";

for (const store of everyStore)
  describe(`A mask with several destinations, on ${store.name}`, () => {
    let here: HeldServer;

    before(requireStore(store));
    beforeEach(async () => {
      here = await startHeldServer(store);
    });
    afterEach(() => here?.stop());

    const change = (body: object) => here.ada.call("PUT", `/masks/${here.mask.id}`, { body });
    const edit = async (body: object): Promise<Mask> => {
      const { status, json, text } = await change(body);
      expect(status, text).to.equal(200);
      return json as Mask;
    };
    const confirm = (...emails: readonly string[]) =>
      here.server.database.db
        .updateTable("destinations")
        .where("user_id", "!=", bystander.id)
        .set({ confirmed_at: 1 })
        .where("email", "in", emails)
        .execute();
    const forwarded = () => here.sink.mails.filter(({ from }) => from.startsWith("bounces+"));
    const arrival = (count: number): Promise<void> =>
      until(`${count} have arrived`, () => {
        here.delivery.wake();
        return forwarded().length === count;
      });
    const send = () => here.send("a@shop.example", mail);

    it("lists them in their order, each mailbox once, the first as forwardTo", async () => {
      const edited = await edit({ destinations: [adaEmail, third, second, "Third@home.example", adaEmail] });
      expect([edited.forwardTo, edited.destinations, edited.confirmationSent]).to.deep.equal([
        adaEmail,
        [adaEmail, third, second],
        true,
      ]);
      expect(edited.awaitingDestinations).to.deep.equal([third, second]);
      await confirm(third);
      const other = await edit({ description: "Other" });
      expect(other.destinations).to.deep.equal([adaEmail, third, second]);
      expect(other.awaitingDestinations).to.deep.equal([second]);
      const listed = (await here.ada.call("GET", "/masks")).json as { masks: Mask[] };
      expect(listed.masks[0]?.destinations).to.deep.equal([adaEmail, third, second]);
      const { destinations } = (await here.ada.call("GET", "/destinations")).json as {
        destinations: { email: string; masks: number }[];
      };
      expect(destinations.map(({ email, masks }) => [email, masks])).to.have.deep.members([
        [adaEmail, 1],
        [second, 1],
        [third, 1],
      ]);
      expect(await edit({ destinations: [adaEmail] }))
        .to.deep.include({ destinations: [adaEmail] })
        .and.not.to.have.property("awaitingDestinations");
      const created = await here.ada.call("POST", "/masks", {
        body: { description: "New", destinations: [adaEmail, second] },
      });
      expect((created.json as Mask).destinations).to.deep.equal([adaEmail, second]);
    });

    it("has at most 10, none of them a mask", async () => {
      const many = Array.from({ length: 11 }, (_, n) => `a${n}@home.example`);
      for (const wrong of [[], many, [adaEmail, "nobody"], [adaEmail, here.mask.maskEmail]])
        expect((await change({ destinations: wrong })).status, wrong.join(" ")).to.equal(400);
    });

    it("sends each mail to the confirmed ones, and counts it once", async () => {
      await edit({ destinations: [adaEmail, second, third] });
      await confirm(second);
      expect(await send()).to.match(/^250/);
      await arrival(2);
      expect(forwarded().map(({ to }) => to)).to.have.members([adaEmail, second]);
      await confirm(third);
      await send();
      await arrival(5);
      const { statistics } = (await here.ada.call("GET", `/masks/${here.mask.id}`)).json as Mask;
      expect(statistics).to.include({ totalReceived: 2, totalForwarded: 2 });
      const usage = await here.server.database.db
        .selectFrom("monthly_usage")
        .where("user_id", "!=", bystander.id)
        .select("received")
        .executeTakeFirstOrThrow();
      expect(Number(usage.received)).to.equal(2);
    });

    it("holds the copy that one destination refuses, while the others arrive", async () => {
      await edit({ destinations: [adaEmail, second] });
      await confirm(second);
      here.sink.onContent = ({ to }) => (to === second ? "554 5.7.1 this looks like spam" : null);
      await send();
      await until("one copy is held", async () => {
        here.delivery.wake();
        const { mails } = (await here.ada.call("GET", "/held")).json as { mails: { recipient: string }[] };
        return mails.length === 1 && mails[0]?.recipient === second;
      });
      await arrival(1);
      expect(forwarded().map(({ to }) => to)).to.deep.equal([adaEmail]);
    });

    it("follows a rule that forwards elsewhere, and holds for all of them", async () => {
      const { db } = here.server.database;
      await edit({ destinations: [adaEmail, second] });
      await confirm(second);
      await setRules(db, { id: here.mask.id, email: "" }, [
        rule([{ type: "forward", params: { email: adaEmail, immediate: true, daily: false } }]),
      ]);
      await send();
      await arrival(1);
      await setRules(db, { id: here.mask.id, email: "" }, []);
      await edit({ senders: { mode: "approve" } });
      await send();
      const { mails } = (await here.ada.call("GET", "/held")).json as { mails: { id: string }[] };
      await here.ada.call("POST", `/held/${mails[0]?.id}/release`, { body: {} });
      await arrival(3);
      expect(forwarded().map(({ to }) => to)).to.have.members([adaEmail, adaEmail, second]);
    });

    it("follows a change of the account's address, without naming a mailbox twice", async () => {
      const { database } = here.server;
      await edit({ destinations: [third, adaEmail, second] });
      const idOf = async (email: string): Promise<string> =>
        (
          await database.db
            .selectFrom("destinations")
            .where("email", "=", email)
            .select("id")
            .executeTakeFirstOrThrow()
        ).id;
      const { id: userId } = await database.db
        .selectFrom("users")
        .where("id", "!=", bystander.id)
        .select("id")
        .executeTakeFirstOrThrow();
      await here.ada.call("POST", "/destinations", { body: { email: "new@home.example" } });
      const moved = async (from: string, to: string): Promise<readonly string[] | undefined> => {
        await redirectFurtherDestinations(database.db, userId, {
          from: mailboxKey(from),
          to: await idOf(to),
        });
        return ((await here.ada.call("GET", `/masks/${here.mask.id}`)).json as Mask).destinations;
      };
      expect(await moved(adaEmail, "new@home.example")).to.deep.equal([third, "new@home.example", second]);
      expect(await moved("new@home.example", second)).to.deep.equal([third, second]);
      expect(await moved(second, third)).to.deep.equal([third]);
    });
  });
