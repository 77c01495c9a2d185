import { expect } from "chai";
import { type HeldServer, letter, startHeldServer } from "../../support/heldServer.ts";
import { everyStore, requireStore } from "../../support/stores.ts";
import { until } from "../../support/until.ts";
import { makeToken } from "./tokens.ts";

type Json = Readonly<Record<string, unknown>>;

const shop = "orders@shop.example";

for (const store of everyStore)
  describe(`What clients of SimpleLogin read besides masks, on ${store.name}`, () => {
    let here: HeldServer;
    let token: string;
    let alias: Json;

    before(requireStore(store));
    beforeEach(async () => {
      here = await startHeldServer(store);
      await here.ada.call("PUT", "/log/settings", { body: { keep: "address" } });
      token = await makeToken(here.ada);
      const { aliases } = await read("GET", "/api/v2/aliases?page_id=0");
      alias = (aliases as readonly Json[])[0] ?? {};
    });
    afterEach(() => here?.stop());

    const call = async (method: string, path: string, body?: object) => {
      const response = await fetch(`${here.server.origin}${path}`, {
        method,
        headers: { authentication: token, "content-type": "application/json" },
        ...(body && { body: JSON.stringify(body) }),
      });
      return { status: response.status, json: (await response.json()) as Json };
    };
    const read = async (method: string, path: string, body?: object): Promise<Json> =>
      (await call(method, path, body)).json;
    const listed = async (path: string, name: string): Promise<readonly Json[]> =>
      (await read("GET", path))[name] as readonly Json[];

    it("contacts: shown and listed by the name that they were added with, whatever it is made of", async () => {
      const path = `/api/aliases/${alias["id"]}/contacts`;
      for (const [n, [given, shown]] of [
        ["First Last", "First Last"],
        ['"Müller, Jörg \\"JM\\""', "Müller, Jörg JM"],
        ["A <b> C", "A b C"],
        ["Two\r\nLines", "Two Lines"],
        ["", `n4 at shop.example`],
      ].entries()) {
        const made = await read("POST", path, { contact: `${given} <n${n}@shop.example>` });
        expect(made).to.include({ contact: `n${n}@shop.example`, existed: false });
        expect(made["reverse_alias"]).to.equal(`"${shown}" <${made["reverse_alias_address"]}>`);
        const all = await listed(`${path}?page_id=0`, "contacts");
        expect(all.map((one) => one["reverse_alias"])).to.include(made["reverse_alias"]);
      }
    });

    it("contacts: made once, listed, blocked, taken again and deleted", async () => {
      const path = `/api/aliases/${alias["id"]}/contacts`;
      const made = await call("POST", path, { contact: `Shop <${shop}>` });
      expect(made.status).to.equal(201);
      expect(made.json).to.include({
        contact: shop,
        existed: false,
        block_forward: false,
        last_email_sent_date: null,
        last_email_sent_timestamp: null,
      });
      const { id, reverse_alias_address: address } = made.json;
      expect(address).to.match(/^re-[a-z0-9]+@masks\.test$/);
      expect(made.json["reverse_alias"]).to.contain(`<${address}>`);
      expect(made.json["creation_date"]).to.match(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\+00:00$/);
      const again = await call("POST", path, { contact: shop });
      expect(again.status).to.equal(200);
      expect(again.json).to.include({ id, existed: true, reverse_alias_address: address });
      expect((await listed(`${path}?page_id=0`, "contacts")).map((one) => one["id"])).to.deep.equal([id]);
      expect(await listed(`${path}?page_id=1`, "contacts")).to.deep.equal([]);
      expect(await read("POST", `/api/contacts/${id}/toggle`)).to.deep.equal({ block_forward: true });
      expect(await read("POST", `/api/contacts/${id}/toggle`, {})).to.deep.equal({ block_forward: false });
      expect(await read("DELETE", `/api/contacts/${id}`)).to.deep.equal({ deleted: true });
      expect((await call("DELETE", `/api/contacts/${id}`)).status).to.equal(404);
      expect((await call("POST", path, { contact: "nobody" })).status).to.equal(400);
    });

    it("activities: who wrote, and the figures of the mask and of all", async () => {
      expect(await here.send(shop, letter(`Shop <${shop}>`))).to.match(/^250/);
      here.delivery.wake();
      await until("it is delivered", async () => here.sink.mails.length > 0);
      const path = `/api/aliases/${alias["id"]}`;
      await until("it is counted", async () => (await read("GET", path))["nb_forward"] === 1);
      const [activity] = await listed(`${path}/activities?page_id=0`, "activities");
      expect(activity).to.include({ action: "forward", from: shop, to: alias["email"] });
      expect(activity?.["reverse_alias"]).to.contain(`<${activity?.["reverse_alias_address"]}>`);
      expect(activity?.["timestamp"]).to.be.a("number");
      expect(await listed(`${path}/activities?page_id=1`, "activities")).to.deep.equal([]);
      expect((await read("GET", path))["latest_activity"]).to.deep.include({ action: "forward" });
      expect(await read("GET", "/api/stats")).to.deep.equal({
        nb_alias: 1,
        nb_block: 0,
        nb_forward: 1,
        nb_reply: 0,
      });
    });

    it("mailboxes: the account's address first, others once they are confirmed", async () => {
      const [own] = await listed("/api/mailboxes", "mailboxes");
      expect(own).to.include({ email: "ada@home.example", verified: true, default: true, nb_alias: 1 });
      const added = await call("POST", "/api/mailboxes", { email: "ada@work.example" });
      expect(added.status).to.equal(201);
      expect(added.json).to.include({ email: "ada@work.example", verified: false, default: false });
      expect(await listed("/api/mailboxes", "mailboxes")).to.have.lengthOf(1);
      expect(await listed("/api/v2/mailboxes", "mailboxes")).to.have.lengthOf(2);
      const path = `/api/mailboxes/${added.json["id"]}`;
      expect((await call("PUT", `/api/mailboxes/${own?.["id"]}`, { email: "x@y.example" })).status).to.equal(
        400,
      );
      expect(await read("DELETE", path, { transfer_aliases_to: -1 })).to.deep.equal({ deleted: true });
      expect((await call("DELETE", path)).status).to.equal(404);
    });

    it("settings: read and changed, as the app then shows them", async () => {
      expect(await read("GET", "/api/setting")).to.deep.include({
        random_alias_default_domain: "masks.test",
        sender_format: "AT",
      });
      const changed = await read("PATCH", "/api/setting", {
        alias_generator: "uuid",
        sender_format: "NAME_ONLY",
      });
      expect(changed).to.include({ alias_generator: "uuid", sender_format: "NAME_ONLY" });
      const { json } = await here.ada.call("GET", "/account");
      expect(json)
        .to.have.property("settings")
        .that.deep.includes({
          senderShown: "mask",
          maskFormat: { kind: "uuid" },
        });
      expect((await call("PATCH", "/api/setting", { sender_format: "OTHER" })).status).to.equal(400);
      const elsewhere = { random_alias_default_domain: "elsewhere.example" };
      expect((await call("PATCH", "/api/setting", elsewhere)).status).to.equal(400);
      expect(await read("GET", "/api/v2/setting/domains")).to.deep.equal([
        { domain: "masks.test", is_custom: false },
      ]);
      expect(await read("GET", "/api/custom_domains")).to.deep.equal({ custom_domains: [] });
    });

    it("notifications: pages from 0, and each read once", async () => {
      const [told] = await listed("/api/notifications?page=0", "notifications");
      expect(told).to.deep.include({ title: null, read: false });
      expect(told?.["message"]).to.be.a("string").and.not.equal("");
      expect(await read("POST", `/api/notifications/${told?.["id"]}/read`)).to.deep.equal({ done: true });
      const again = await listed("/api/notifications?page=0", "notifications");
      expect(again.find((one) => one["id"] === told?.["id"])?.["read"]).to.equal(true);
      expect((await read("GET", "/api/notifications?page=1"))["more"]).to.equal(false);
      expect((await call("GET", "/api/notifications")).status).to.equal(400);
      expect((await call("POST", "/api/notifications/999999/read")).status).to.equal(404);
    });
  });
