import { expect } from "chai";
import fc from "fast-check";
import type { Correspondent } from "../../../../core/correspondents/correspondentEndpoints.ts";
import type { HeldPage } from "../../../../core/held/heldMail.ts";
import type { Mask } from "../../../../core/masks/mask.ts";
import { bystander } from "../../support/bystander.ts";
import { type HeldServer, letter, startHeldServer } from "../../support/heldServer.ts";
import { everyStore, requireStore } from "../../support/stores.ts";
import { until } from "../../support/until.ts";

const fromAda = (address: string): string => letter(`Somebody <${address}>`);
const notTaken = /^550 5\.7\.1 The owner of this address/;

for (const store of everyStore)
  describe(`Who may write to a mask, on ${store.name}`, () => {
    let here: HeldServer;

    before(requireStore(store));
    beforeEach(async () => {
      here = await startHeldServer(store);
    });
    afterEach(() => here?.stop());

    const change = (senders: object) => here.ada.call("PUT", `/masks/${here.mask.id}`, { body: { senders } });
    const edit = async (senders: object): Promise<Mask> => {
      const { status, json, text } = await change(senders);
      expect(status, text).to.equal(200);
      return json as Mask;
    };
    const write = (address: string): Promise<string> => here.send(address, fromAda(address));
    const held = async (): Promise<HeldPage["mails"]> =>
      ((await here.ada.call("GET", "/held")).json as HeldPage).mails;
    const forwarded = () => here.sink.mails.filter(({ from }) => from.startsWith("bounces+"));
    const arrival = (count: number): Promise<void> =>
      until(`${count} have arrived`, () => {
        here.delivery.wake();
        return forwarded().length === count;
      });

    it("is everybody, and lists of senders are kept in lower case, each once", async () => {
      expect((await edit({})).senders).to.deep.equal({ mode: "all", allow: [], block: [] });
      const senders = {
        mode: "listed",
        allow: ["Shop.example", "@two.example"],
        block: [" B@Three.example "],
      };
      const kept = { mode: "listed", allow: ["shop.example", "two.example"], block: ["b@three.example"] };
      expect((await edit(senders)).senders).to.deep.equal(kept);
      expect(
        ((await here.ada.call("GET", "/masks")).json as { masks: Mask[] }).masks[0]?.senders,
      ).to.deep.equal(kept);
      expect((await edit({ block: [] })).senders).to.deep.equal({ ...kept, block: [] });
      expect((await edit({ block: ["shop.example"] })).senders).to.deep.equal({
        mode: "listed",
        allow: ["two.example"],
        block: ["shop.example"],
      });
      for (const wrong of ["nobody", "a@b@c", "two words.example", ""])
        expect((await change({ allow: [wrong] })).status, wrong).to.equal(400);
      const rows = await here.server.database.db
        .selectFrom("mask_senders")
        .where("user_id", "!=", bystander.id)
        .selectAll()
        .execute();
      expect(JSON.stringify(rows)).not.to.contain("two.example");
    });

    it("is who stands on the list, a domain for its sub-domains too, except whom the owner blocks", async () => {
      await edit({ mode: "listed", allow: ["shop.example", "a@one.example"], block: ["spam.shop.example"] });
      for (const address of ["x@shop.example", "y@mail.shop.example", "A@One.example"])
        expect(await write(address), address).to.match(/^250/);
      for (const address of ["b@one.example", "x@myshop.example", "z@spam.shop.example", "z@example"])
        expect(await write(address), address).to.match(notTaken);
      const { statistics } = (await here.ada.call("GET", `/masks/${here.mask.id}`)).json as Mask;
      expect(statistics).to.include({ totalReceived: 7, spamBlocked: 4 });
    });

    it("is who has exchanged mail with the mask", async () => {
      expect(await write("old@shop.example")).to.match(/^250/);
      await edit({ mode: "contacts" });
      expect(await write("old@shop.example")).to.match(/^250/);
      expect(await write("new@shop.example")).to.match(notTaken);
      const path = `/masks/${here.mask.id}/correspondents`;
      expect((await here.ada.call("POST", path, { body: { address: "new@shop.example" } })).status).to.equal(
        201,
      );
      expect(await write("new@shop.example")).to.match(/^250/);
    });

    it("is whom the owner approves: mail of others is held until they say yes or no", async () => {
      await edit({ mode: "approve" });
      for (const address of ["yes@shop.example", "once@shop.example", "no@shop.example"])
        expect(await write(address)).to.match(/^250/);
      expect((await held()).map(({ reason }) => reason)).to.deep.equal(["unknown", "unknown", "unknown"]);
      const decide = async (address: string, action: string): Promise<void> => {
        const mail = (await held()).find(({ from }) => from?.address === address);
        expect((await here.ada.call("POST", `/held/${mail?.id}/${action}`, { body: {} })).status).to.equal(
          200,
        );
      };
      await decide("yes@shop.example", "allow");
      await decide("once@shop.example", "release");
      await decide("no@shop.example", "block");
      await arrival(2);
      expect(await write("yes@shop.example")).to.match(/^250/);
      await arrival(3);
      expect(await write("once@shop.example")).to.match(/^250/);
      expect(await held()).to.have.lengthOf(1);
      expect(await write("no@shop.example")).to.match(notTaken);
      const mask = (await here.ada.call("GET", `/masks/${here.mask.id}`)).json as Mask;
      expect(mask.senders).to.deep.equal({
        mode: "approve",
        allow: ["yes@shop.example"],
        block: ["no@shop.example"],
      });
    });

    it("approves whom the owner has written to", async () => {
      await edit({ mode: "approve" });
      const path = `/masks/${here.mask.id}/correspondents`;
      await here.ada.call("POST", path, { body: { address: "friend@shop.example" } });
      await write("friend@shop.example");
      expect(await held()).to.have.lengthOf(1);
      await here.server.database.db
        .updateTable("reverse_addresses")
        .where("user_id", "!=", bystander.id)
        .set({ last_out_at: 1 })
        .execute();
      await write("friend@shop.example");
      expect(await held()).to.have.lengthOf(1);
    });

    it("is blocked by address or domain in one call, which says what undoes it", async () => {
      const path = (sender: string, id = here.mask.id) =>
        `/masks/${id}/senders/${encodeURIComponent(sender)}`;
      const put = (sender: string, list: string, client = here.ada) =>
        client.call("PUT", path(sender), { body: { list } });
      const listBefore = async (sender: string, list: string): Promise<unknown> =>
        (await put(sender, list)).json;
      expect(await write("x@mail.shop.example")).to.match(/^250/);
      expect(await listBefore("Shop.example", "block")).to.deep.equal({ before: null });
      expect(await listBefore("shop.example", "block")).to.deep.equal({ before: "block" });
      expect(await write("x@mail.shop.example")).to.match(notTaken);
      const { json } = await here.ada.call("GET", `/masks/${here.mask.id}/correspondents`);
      const { correspondents } = json as { correspondents: readonly Correspondent[] };
      const writer = correspondents.find(({ address }) => address === "x@mail.shop.example");
      expect(writer).to.include({ blocked: false, blockedDomain: "shop.example" });
      expect((await here.ada.call("DELETE", path("shop.example"))).status).to.equal(200);
      expect(await write("x@mail.shop.example")).to.match(/^250/);
      expect(await listBefore("bob@shop.example", "allow")).to.deep.equal({ before: null });
      expect(await listBefore("Bob@shop.example", "block")).to.deep.equal({ before: "allow" });
      expect(await write("bob@shop.example")).to.match(notTaken);
      expect(await listBefore("bob@shop.example", "allow")).to.deep.equal({ before: "block" });
      expect(await write("bob@shop.example")).to.match(/^250/);
      expect((await put("nobody", "block")).status).to.equal(400);
      expect((await put("shop.example", "ignore")).status).to.equal(400);
      const stranger = await here.server.signIn("stranger@elsewhere.example");
      expect((await put("shop.example", "block", stranger)).status).to.equal(404);
      expect((await edit({})).senders).to.deep.include({ allow: ["bob@shop.example"], block: [] });
      await edit({ block: Array.from({ length: 499 }, (_, n) => `s${n}.example`) });
      expect((await put("more.example", "block")).status).to.equal(409);
      expect(await listBefore("bob@shop.example", "block")).to.deep.equal({ before: "allow" });
    });

    it("names at most 500 senders, also in parallel edits", async () => {
      const many = (begin: string, count: number): readonly string[] =>
        Array.from({ length: count }, (_, n) => `${begin}${n}.example`);
      expect((await change({ allow: many("a", 501) })).status).to.equal(400);
      const answers = await Promise.all([
        change({ allow: many("a", 300) }),
        change({ block: many("b", 300) }),
      ]);
      expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).to.deep.equal([
        200, 400,
      ]);
    });

    it("lets a listed sender in and nobody else, whatever the addresses are", async () => {
      const label = fc.stringMatching(/^[a-z]{1,4}$/);
      const domain = fc.tuple(label, label).map(([one, other]) => `${one}.${other}.example`);
      const sample = fc.sample(fc.tuple(fc.uniqueArray(domain, { minLength: 1, maxLength: 3 }), domain), 12);
      for (const [listed, other] of sample) {
        await edit({ mode: "listed", allow: listed, block: [] });
        const isListed = listed.some((name) => other === name || other.endsWith(`.${name}`));
        const answer = await write(`a@${other}`);
        expect(answer, `${other} of ${listed}`).to.match(isListed ? /^250/ : notTaken);
      }
    });
  });
