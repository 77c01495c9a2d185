import { readFileSync } from "node:fs";
import { expect } from "chai";
import { cryptoRandom } from "../../../../adapters/system/clockAndRandom.ts";
import type { AccountExport } from "../../../../core/account/accountDataEndpoints.ts";
import type { Destination } from "../../../../core/destinations/destinationEndpoints.ts";
import type { Mask } from "../../../../core/masks/mask.ts";
import { createFindEncryption } from "../../../../server/features/encryption/findEncryption.ts";
import { encryptToKey } from "../../../../server/relay/encrypt/pgpMime.ts";
import { createVirtualClock } from "../../../fakes/virtualClock.ts";
import { bystander } from "../../support/bystander.ts";
import { adaEmail, type HeldServer, letter, startHeldServer } from "../../support/heldServer.ts";
import { everyStore, requireStore } from "../../support/stores.ts";
import { setTier } from "../../support/tier.ts";
import { until } from "../../support/until.ts";

const mail = letter("Shop <a@shop.example>");
const home = "home@second.example";
const work = "work@third.example";
const keyNamed = (name: string): string =>
  readFileSync(new URL(`../../../data/keys/${name}.asc`, import.meta.url), "utf8");

for (const store of everyStore)
  describe(`The destinations of a user, on ${store.name}`, () => {
    let here: HeldServer;

    before(requireStore(store));
    beforeEach(async () => {
      here = await startHeldServer(store, {}, (database) => ({
        findEncryption: createFindEncryption({
          publicUrl: "https://bauta.test",
          database,
          pool: { run: (task) => encryptToKey(task) },
          clock: createVirtualClock(),
          random: cryptoRandom,
          feed: { wake: () => {} },
        }),
      }));
      await setTier(here.server.database, adaEmail, "pro");
    });
    afterEach(() => here?.stop());

    const list = async (): Promise<readonly Destination[]> =>
      ((await here.ada.call("GET", "/destinations")).json as { destinations: Destination[] }).destinations;
    const find = async (email: string): Promise<Destination> => {
      const found = (await list()).find((one) => one.email === email);
      if (!found) throw new Error(`${email} is not in the list`);
      return found;
    };
    const confirm = (...emails: readonly string[]) =>
      here.server.database.db
        .updateTable("destinations")
        .where("user_id", "!=", bystander.id)
        .set({ confirmed_at: 1 })
        .where("email", "in", emails)
        .execute();
    const add = async (...emails: readonly string[]): Promise<void> => {
      for (const email of emails)
        expect((await here.ada.call("POST", "/destinations", { body: { email } })).status).to.equal(200);
      await confirm(...emails);
    };
    const patch = async (email: string, body: object) =>
      here.ada.call("PATCH", `/destinations/${(await find(email)).id}`, { body });
    const remove = async (email: string, masks: object) =>
      here.ada.call("DELETE", `/destinations/${(await find(email)).id}`, { body: { masks } });
    const createMask = async (body: object): Promise<Mask> =>
      (await here.ada.call("POST", "/masks", { body: { description: "New", ...body } })).json as Mask;
    const mask = async ({ id }: Pick<Mask, "id"> = here.mask): Promise<Mask> =>
      (await here.ada.call("GET", `/masks/${id}`)).json as Mask;
    const edit = async (body: object) => {
      expect((await here.ada.call("PUT", `/masks/${here.mask.id}`, { body })).status).to.equal(200);
    };

    it("have a name, a default, and the number of their masks", async () => {
      await add(home);
      expect((await list()).map(({ isDefault }) => isDefault)).to.deep.equal([true, false]);
      const renamed = await patch(home, { name: " At home ", isDefault: true });
      expect(renamed.json).to.deep.include({ name: "At home", isDefault: true, masks: 0, isAccount: false });
      expect((await createMask({})).forwardTo).to.equal(home);
      expect(await find(home)).to.deep.include({ masks: 1, status: "confirmed", keyFingerprint: null });
      expect(((await here.ada.call("GET", "/account")).json as { settings: object }).settings).to.include({
        forwardTo: home,
      });
      await patch(adaEmail, { isDefault: true });
      expect((await list()).map(({ isDefault }) => isDefault)).to.deep.equal([true, false]);
      expect((await createMask({})).forwardTo).to.equal(adaEmail);
      expect((await patch(home, { name: "x".repeat(61) })).status).to.equal(400);
    });

    it("become the default only when they are confirmed", async () => {
      await here.ada.call("POST", "/destinations", { body: { email: home } });
      expect((await patch(home, { isDefault: true })).status).to.equal(409);
      expect((await createMask({})).forwardTo).to.equal(adaEmail);
    });

    it("are nobody else's to see, change or remove", async () => {
      await add(home);
      const { id } = await find(home);
      const eve = await here.server.signIn("eve@home.example");
      expect((await eve.call("PATCH", `/destinations/${id}`, { body: { name: "Mine" } })).status).to.equal(
        404,
      );
      const body = { masks: { kind: "switchOff" } };
      expect((await eve.call("DELETE", `/destinations/${id}`, { body })).status).to.equal(404);
      const own = ((await eve.call("GET", "/destinations")).json as { destinations: Destination[] })
        .destinations;
      expect(own.map(({ email }) => email)).to.deep.equal(["eve@home.example"]);
      expect(
        (
          await here.ada.call("DELETE", `/destinations/${id}`, {
            body: { masks: { kind: "move", to: own[0]?.id } },
          })
        ).status,
      ).to.equal(400);
      expect((await find(home)).name).to.equal("");
    });

    it("are removed with their masks moved to another one, each mailbox once", async () => {
      await add(home, work);
      await edit({ destinations: [home, work] });
      const single = await createMask({ forwardTo: home });
      const further = await createMask({ destinations: [work, home, adaEmail] });
      const { id: to } = await find(work);
      expect((await remove(home, { kind: "move", to })).status).to.equal(200);
      expect((await list()).map(({ email, masks }) => [email, masks])).to.have.deep.members([
        [adaEmail, 1],
        [work, 3],
      ]);
      expect([
        (await mask()).destinations ?? (await mask()).forwardTo,
        (await mask(single)).forwardTo,
      ]).to.deep.equal([[work], work]);
      expect((await mask(further)).destinations).to.deep.equal([work, adaEmail]);
      expect((await mask(single)).active).to.equal(true);
    });

    it("are removed with their masks switched off, which then forward to the account's address", async () => {
      await add(home, work);
      await edit({ destinations: [home, work] });
      const single = await createMask({ forwardTo: home });
      const deleted = await createMask({ forwardTo: home });
      await here.ada.call("DELETE", `/masks/${deleted.id}`);
      expect((await remove(home, { kind: "switchOff" })).status).to.equal(200);
      expect(await mask(single)).to.include({ active: false, forwardTo: adaEmail });
      // A mask that has another address goes on with that one.
      expect(await mask()).to.include({ active: true, forwardTo: work });
      const restored = await here.ada.call("POST", `/masks/${deleted.id}/restore`);
      expect(restored.json).to.include({ active: false, forwardTo: adaEmail });
      expect(await here.send("a@shop.example", mail, single.maskEmail)).to.match(/^550/);
    });

    it("keep the address of the account", async () => {
      await add(home);
      expect((await remove(adaEmail, { kind: "move", to: (await find(home)).id })).status).to.equal(409);
    });

    it("cannot be added more often by removing them", async () => {
      const statuses: number[] = [];
      for (let n = 0; n < 11; n += 1) {
        const email = `n${n}@many.example`;
        const { status } = await here.ada.call("POST", "/destinations", { body: { email } });
        statuses.push(status);
        if (status === 200) await remove(email, { kind: "switchOff" });
      }
      expect(statuses).to.deep.equal([...Array.from({ length: 10 }, () => 200), 429]);
      expect((await list()).map(({ email }) => email)).to.deep.equal([adaEmail]);
      const rows = await here.server.database.db
        .selectFrom("destinations")
        .where("user_id", "!=", bystander.id)
        .selectAll()
        .execute();
      expect(JSON.stringify(rows)).not.to.contain("many.example");
    });

    it("get mail encrypted to the key of their own, or else to that of the account", async () => {
      await add(home);
      await edit({ destinations: [adaEmail, home] });
      const answer = await patch(home, { publicKey: keyNamed("good") });
      expect(answer.status, answer.text).to.equal(200);
      const { keyFingerprint } = answer.json as Destination;
      expect(keyFingerprint).to.match(/^[0-9A-F]{40}$/);
      expect((await patch(home, { publicKey: keyNamed("private") })).text).to.contain(
        "This is a private key",
      );
      await here.send("a@shop.example", mail);
      const forwarded = () => here.sink.mails.filter(({ from }) => from.startsWith("bounces+"));
      const arrival = (count: number) =>
        until(`${count} have arrived`, () => {
          here.delivery.wake();
          return forwarded().length === count;
        });
      await arrival(2);
      const contentFor = (address: string): string =>
        forwarded()
          .findLast(({ to }) => String(to) === address)
          ?.content.toString() ?? "";
      expect(contentFor(home)).to.contain("multipart/encrypted").and.not.contain("It is on its way");
      expect(contentFor(adaEmail)).to.contain("It is on its way");
      await here.ada.call("POST", "/keys/setup", { body: { publicKey: keyNamed("goodRsa") } });
      await patch(home, { publicKey: null });
      await here.send("a@shop.example", mail);
      await arrival(4);
      for (const address of [home, adaEmail])
        expect(contentFor(address)).to.contain("multipart/encrypted").and.not.contain("It is on its way");
      const { notifications } = (await here.ada.call("GET", "/notifications?limit=50")).json as {
        notifications: { message: string }[];
      };
      expect(notifications.map(({ message }) => message)).to.include.members([
        `Mail to ${home} is encrypted to another key now. If this was not you, end all other sessions.`,
        `Mail to ${home} is no longer encrypted to a key of its own. If this was not you, end all other sessions.`,
      ]);
    });

    it("hold mail for those with a key apart from the others", async () => {
      await add(home);
      await edit({ destinations: [adaEmail, home], senders: { mode: "approve" } });
      await patch(home, { publicKey: keyNamed("good") });
      await here.send("a@shop.example", mail);
      const { mails } = (await here.ada.call("GET", `/held?maskId=${here.mask.id}`)).json as {
        mails: { id: string; subject: string | null }[];
      };
      expect(mails.map(({ subject }) => subject)).to.have.members([null, "Your order"]);
    });

    it("are in the export with their names and keys", async () => {
      await add(home);
      const keys = { publicKey: keyNamed("good"), addKeys: [keyNamed("goodRsa")] };
      await patch(home, { name: "Home", isDefault: true, ...keys });
      const { destinations } = (await here.ada.call("GET", "/account/export")).json as AccountExport;
      expect(destinations.find(({ email }) => email === home))
        .to.include({ name: "Home", isDefault: true })
        .and.include.keys("publicKey", "furtherKeys");
      const { publicKey = "", furtherKeys = [] } = destinations.find(({ email }) => email === home) ?? {};
      expect(furtherKeys).to.have.length(1);
      for (const key of [publicKey, ...furtherKeys]) expect(key).to.contain("BEGIN PGP PUBLIC KEY BLOCK");
    });
  });
