import { expect } from "chai";
import fc from "fast-check";
import type { Label } from "../../../../core/labels/labelEndpoints.ts";
import type { Mask } from "../../../../core/masks/mask.ts";
import type { AccountRules } from "../../../../core/rules/account/accountRuleEndpoints.ts";
import type { Client } from "../../support/client.ts";
import { openSocket, settle } from "../../support/socketClient.ts";
import { startServer, type TestServer } from "../../support/startServer.ts";
import { everyStore, requireStore } from "../../support/stores.ts";
import { setTier } from "../../support/tier.ts";

const email = "owner@example.org";

/** A label without case and accents. */
const key = (label: string): string => label.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();

for (const store of everyStore)
  describe(`The labels of a user, on ${store.name}`, () => {
    let server: TestServer;
    let user: Client;

    before(requireStore(store));
    beforeEach(async () => {
      server = await startServer({ store });
      user = await server.signIn(email);
      await setTier(server.database, email, "business");
    });
    afterEach(() => server?.stop());

    const create = async (...labels: readonly string[]): Promise<Mask> => {
      const { json, status, text } = await user.call("POST", "/masks", {
        body: { description: "x", labels },
      });
      expect(status, text).to.equal(201);
      return json as Mask;
    };
    const list = async (client = user): Promise<readonly Label[]> =>
      ((await client.call("GET", "/labels")).json as { labels: Label[] }).labels;
    const labelsOf = async ({ id }: Mask): Promise<readonly string[] | undefined> =>
      ((await user.call("GET", `/masks/${id}`)).json as Mask).labels;
    const pathOf = (name: string): string => `/labels/${encodeURIComponent(name)}`;
    const patch = (name: string, body: object) => user.call("PATCH", pathOf(name), { body });

    it("have their own colors, and go alone, where another user has one of the same name", async () => {
      const other = await server.signIn("other@example.org");
      const label = (color: string) => ({ body: { name: "Shared", color } });
      for (const [client, color] of [
        [other, "red"],
        [user, "blue"],
      ] as const)
        expect((await client.call("POST", "/labels", label(color))).status).to.be.below(300);
      const colors = async (client: Client) => (await list(client)).map(({ color }) => color);
      expect([await colors(other), await colors(user)]).to.deep.equal([["red"], ["blue"]]);
      expect((await user.call("DELETE", pathOf("Shared"))).status).to.be.below(300);
      expect([await colors(other), await colors(user)]).to.deep.equal([["red"], []]);
    });

    it("are those of the masks and those made without one, by name, with the number of masks", async () => {
      await create("shops", "Work");
      await create("Shops");
      expect(
        (await user.call("POST", "/labels", { body: { name: "Later", color: "red" } })).json,
      ).to.deep.equal({
        name: "Later",
        color: "red",
        masks: 0,
      });
      expect(await list()).to.deep.equal([
        { name: "Later", color: "red", masks: 0 },
        { name: "shops", color: "gray", masks: 2 },
        { name: "Work", color: "gray", masks: 1 },
      ]);
    });

    it("are renamed in the rules that name them, of all masks and of one, and every device hears of it", async () => {
      const naming = (id: string, labels: string | readonly string[]): object => ({
        id,
        name: id,
        type: "content_filter",
        enabled: true,
        conditions: [
          {
            match: "any",
            conditions: [
              {
                field: "maskLabel",
                operator: typeof labels === "string" ? "equals" : "in_list",
                value: labels,
              },
              { field: "subject", operator: "contains", value: ["Shops"] },
            ],
          },
        ],
        actions: [{ type: "block", params: { silentBlock: false } }],
      });
      const mask = await create("Shops", "Work");
      const rules = [
        naming("one", "SHOPS"),
        naming("several", ["Clubs", "Shops", "Stores"]),
        naming("other", "Work"),
      ];
      const renamed = [
        naming("one", "Stores"),
        naming("several", ["Clubs", "Stores"]),
        naming("other", "Work"),
      ];
      const saved = await user.call("PUT", "/rules/before", { body: { rules } });
      expect(saved.status, saved.text).to.equal(200);
      await user.call("PUT", `/masks/${mask.id}`, { body: { settings: { rules } } });
      const device = await openSocket(server.origin, user);
      device.send("subscribe", { resource: "account-rules" });
      await settle(device);
      await patch("Shops", { name: "Stores" });
      const lists = async () => (await user.call("GET", "/rules")).json as AccountRules;
      expect((await lists()).before.rules).to.deep.equal(renamed);
      const after = (await user.call("GET", `/masks/${mask.id}`)).json as Mask;
      expect(after.settings?.rules).to.deep.equal(renamed);
      const { version } = (await lists()).before;
      await device.waitFor(
        ({ type, data }) =>
          type === "data_update" &&
          (data?.["entity"] as Partial<AccountRules> | undefined)?.before?.version === version,
      );
      device.socket.close();
      const edited = [...rules, naming("new", "Work")];
      const etag = saved.headers.get("etag") ?? "";
      await user.call("PUT", "/rules/before", { body: { rules: edited }, headers: { "if-match": etag } });
      expect((await lists()).before.rules, "a device that missed it").to.deep.equal([
        ...renamed,
        naming("new", "Work"),
      ]);
    });

    it("have a color, which the account names for the cards", async () => {
      await create("Café");
      expect((await patch("cafe", { color: "blue" })).json).to.deep.equal({
        name: "Café",
        color: "blue",
        masks: 1,
      });
      expect((await user.call("GET", "/account")).json).to.have.nested.property(
        "settings.labelColors.cafe",
        "blue",
      );
      expect((await patch("cafe", { color: "pink" })).status).to.equal(400);
      const { labels } = (await user.call("GET", "/account/export")).json as { labels: Label[] };
      expect(labels).to.deep.equal([{ name: "Café", color: "blue", masks: 1 }]);
    });

    it("are renamed on all masks, deleted ones too", async () => {
      const [kept, deleted] = [await create("shops", "work"), await create("shops")];
      await user.call("DELETE", `/masks/${deleted.id}`);
      expect((await patch("Shops", { name: "Stores" })).json).to.include({ name: "Stores", masks: 1 });
      expect(await labelsOf(kept)).to.deep.equal(["Stores", "work"]);
      const restored = await user.call("POST", `/masks/${deleted.id}/restore`);
      expect((restored.json as Mask).labels).to.deep.equal(["Stores"]);
      expect((await patch("shops", { name: "x" })).status).to.equal(404);
      expect((await patch("Stores", { name: "a,b" })).status).to.equal(400);
    });

    it("are merged only when that was asked for, and a mask has the label once", async () => {
      const mask = await create("shops", "stores");
      await patch("stores", { color: "green" });
      const refused = await patch("shops", { name: "Stores" });
      expect(refused.status).to.equal(409);
      expect(refused.text).to.contain("There is a label stores already");
      expect(await labelsOf(mask)).to.deep.equal(["shops", "stores"]);
      expect((await patch("shops", { name: "Stores", merge: true })).json).to.deep.equal({
        name: "stores",
        color: "green",
        masks: 1,
      });
      expect(await labelsOf(mask)).to.deep.equal(["stores"]);
    });

    it("are deleted from all masks", async () => {
      const mask = await create("shops", "work");
      expect((await user.call("DELETE", pathOf("shops"))).status).to.equal(200);
      expect(await labelsOf(mask)).to.deep.equal(["work"]);
      expect((await user.call("DELETE", pathOf("shops"))).status).to.equal(404);
    });

    it("are nobody else's", async () => {
      const mask = await create("shops");
      const eve = await server.signIn("eve@example.org");
      expect(await list(eve)).to.deep.equal([]);
      expect((await eve.call("DELETE", pathOf("shops"))).status).to.equal(404);
      await eve.call("POST", "/labels", { body: { name: "shops", color: "red" } });
      expect(await labelsOf(mask)).to.deep.equal(["shops"]);
      expect(await list()).to.deep.equal([{ name: "shops", color: "gray", masks: 1 }]);
    });

    it("keep every mask's other labels through any renames and deletions", async () => {
      const name = fc.constantFrom("a", "A", "b", "c d", "é", "E");
      const change = fc.record({ from: name, to: fc.option(name) });
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.uniqueArray(name, { selector: key }), { minLength: 1, maxLength: 3 }),
          fc.array(change, { maxLength: 3 }),
          async (masks, changes) => {
            const made = await Promise.all(masks.map((labels) => create(...labels)));
            let expected = masks.map((labels) => new Set(labels.map(key)));
            for (const { from, to } of changes) {
              if (to === null) await user.call("DELETE", pathOf(from));
              else await patch(from, { name: to, merge: true });
              expected = expected.map(
                (labels) =>
                  new Set(
                    [...labels].flatMap((label) =>
                      label === key(from) ? (to === null ? [] : [key(to)]) : [label],
                    ),
                  ),
              );
            }
            const now = await Promise.all(made.map(labelsOf));
            expect(now.map((labels) => (labels ?? []).map(key).sort())).to.deep.equal(
              expected.map((labels) => [...labels].sort()),
            );
            for (const { id } of made) await user.call("DELETE", `/masks/${id}`);
            for (const label of await list()) await user.call("DELETE", pathOf(label.name));
          },
        ),
        { numRuns: 15 },
      );
    });

    it("are renamed on 5,000 masks with 200 labels", async () => {
      const first = await create("label 0", "label 1");
      const { db } = server.database;
      const row = await db
        .selectFrom("masks")
        .selectAll()
        .where("id", "=", first.id)
        .executeTakeFirstOrThrow();
      const rows = Array.from({ length: 5_000 }, (_, n) => ({
        ...row,
        id: `m${String(n).padStart(19, "0")}`,
        email: `m${n}@masks.test`,
        labels: JSON.stringify([`label ${n % 200}`, "all"]),
      }));
      for (let from = 0; from < rows.length; from += 500)
        await db
          .insertInto("masks")
          .values(rows.slice(from, from + 500))
          .execute();
      expect(await list()).to.have.length(201);
      expect((await patch("all", { name: "every" })).json).to.include({ name: "every", masks: 5_000 });
      expect((await patch("label 7", { name: "label 8", merge: true })).json).to.include({ masks: 50 });
    });
  });
