import { expect } from "chai";
import type { BulkChange, BulkResult } from "../../../../core/bulk/bulkChange.ts";
import type { Mask } from "../../../../core/masks/mask.ts";
import { bystander } from "../../support/bystander.ts";
import type { Client } from "../../support/client.ts";
import { startServer, type TestServer } from "../../support/startServer.ts";
import { everyStore, requireStore } from "../../support/stores.ts";
import { setTier } from "../../support/tier.ts";

const rule = (id: string) => ({
  id,
  name: `Rule ${id}`,
  type: "content_filter",
  enabled: true,
  conditions: [{ field: "subject", operator: "contains", value: "sale" }],
  actions: [{ type: "block", params: {} }],
});

for (const store of everyStore)
  describe(`A change of several masks, on ${store.name}`, () => {
    let server: TestServer;

    before(async function () {
      await requireStore(store).call(this);
      server = await startServer({ store });
    });
    after(() => server?.stop());

    const list = async (user: Client): Promise<readonly Mask[]> =>
      ((await user.call("GET", "/masks")).json as { masks: Mask[] }).masks;
    const userWith = async (email: string, count: number): Promise<{ user: Client; ids: string[] }> => {
      const user = await server.signIn(email);
      await setTier(server.database, email, "pro");
      for (let n = 0; n < count; n += 1)
        await user.call("POST", "/masks", { body: { description: `Mask ${n}` } });
      return { user, ids: (await list(user)).map(({ id }) => id) };
    };
    const bulk = (user: Client, ids: readonly string[], change: BulkChange) =>
      user.call("POST", "/masks/bulk", { body: { ids, change } });
    const results = async (
      user: Client,
      ids: readonly string[],
      change: BulkChange,
    ): Promise<readonly BulkResult[]> => {
      const answer = await bulk(user, ids, change);
      expect(answer.status, answer.text).to.equal(200);
      return (answer.json as { results: BulkResult[] }).results;
    };
    const statuses = async (...args: Parameters<typeof results>): Promise<number[]> =>
      (await results(...args)).map(({ status }) => status);

    it("has a result for each id: another user's mask is unknown and stays as it is", async () => {
      const { user, ids } = await userWith("mine@example.org", 2);
      const other = await userWith("theirs@example.org", 1);
      const off = { kind: "switch", active: false } as const;
      const all = [ids[0] ?? "", other.ids[0] ?? "", "no-id", ids[1] ?? "", ids[0] ?? ""];
      expect(await results(user, all, off)).to.deep.equal([
        { id: ids[0], status: 200 },
        { id: other.ids[0], status: 404, message: "Mask not found" },
        { id: "no-id", status: 404, message: "Mask not found" },
        { id: ids[1], status: 200 },
      ]);
      expect((await list(user)).map(({ active }) => active)).to.deep.equal([false, false]);
      expect((await list(other.user)).map(({ active }) => active)).to.deep.equal([true]);
    });

    it("switches on exactly as many masks as the plan allows, the first ones, also in parallel", async () => {
      const { user, ids } = await userWith("limit@example.org", 6);
      await results(user, ids, { kind: "switch", active: false });
      await setTier(server.database, "limit@example.org", "free");
      const on = { kind: "switch", active: true } as const;
      expect(await statuses(user, ids.slice(0, 3), on)).to.deep.equal([200, 200, 403]);
      await results(user, ids, { kind: "switch", active: false });
      const answers = await Promise.all(ids.map((id) => statuses(user, [id], on)));
      expect(answers.flat().filter((status) => status === 200)).to.have.length(2);
      expect((await list(user)).filter(({ active }) => active)).to.have.length(2);
    });

    it("adds and removes labels, and refuses a mask that would have too many", async () => {
      const { user, ids } = await userWith("labels@example.org", 2);
      const [one = "", other = ""] = ids;
      await user.call("PUT", `/masks/${other}`, {
        body: { labels: Array.from({ length: 20 }, (_, n) => `label ${n}`) },
      });
      const add = { kind: "label", add: ["Shops", "work"], remove: [] } as const;
      const answer = await results(user, ids, add);
      expect(answer.map(({ status }) => status)).to.deep.equal([200, 400]);
      expect(answer[1]?.message).to.match(/at most 20 labels/);
      await results(user, ids, { kind: "label", add: ["new"], remove: ["shops", "LABEL 3"] });
      const byId = new Map((await list(user)).map((mask) => [mask.id, mask.labels]));
      expect(byId.get(one)).to.deep.equal(["work", "new"]);
      expect(byId.get(other)).to.have.length(20).and.include("new").and.not.include("label 3");
    });

    it("moves masks to another destination, which is asked once to confirm", async () => {
      const { user, ids } = await userWith("move@example.org", 3);
      expect(await statuses(user, ids, { kind: "move", forwardTo: "new@example.net" })).to.deep.equal([
        200, 200, 200,
      ]);
      for (const mask of await list(user)) {
        expect(mask.forwardTo).to.equal("new@example.net");
        expect(mask.destinationStatus).to.equal("awaiting-confirmation");
      }
      const refused = await bulk(user, ids, {
        kind: "move",
        forwardTo: (await list(user))[0]?.maskEmail ?? "",
      });
      expect(refused.status).to.equal(400);
    });

    it("deletes masks, frees their places, and restores those that have a place, with their state", async () => {
      const { user, ids } = await userWith("trash@example.org", 4);
      await results(user, ids.slice(0, 1), { kind: "switch", active: false });
      expect(await statuses(user, ids, { kind: "delete" })).to.deep.equal([200, 200, 200, 200]);
      expect(await statuses(user, ids, { kind: "delete" })).to.deep.equal([404, 404, 404, 404]);
      expect(await list(user)).to.deep.equal([]);
      await setTier(server.database, "trash@example.org", "free");
      expect(await statuses(user, ids, { kind: "restore" })).to.deep.equal([200, 200, 403, 403]);
      const restored = new Map((await list(user)).map(({ id, active }) => [id, active]));
      expect(restored.get(ids[0] ?? "")).to.equal(false);
      expect(restored.get(ids[1] ?? "")).to.equal(true);
      expect((await user.call("POST", "/masks", { body: { description: "One more" } })).status).to.equal(403);
    });

    it("adds rules after those of each mask and takes them away again", async () => {
      const { user, ids } = await userWith("rules@example.org", 2);
      await user.call("PUT", `/masks/${ids[0]}`, { body: { settings: { rules: [rule("own"), rule("b")] } } });
      await results(user, ids, { kind: "addRules", rules: [rule("a"), rule("b")] });
      const rulesOf = async (): Promise<unknown[]> => {
        const byId = new Map((await list(user)).map((mask) => [mask.id, mask.settings?.rules]));
        return ids.map((id) => byId.get(id)?.map((one) => (one as { id: string }).id));
      };
      expect(await rulesOf()).to.deep.equal([
        ["own", "a", "b"],
        ["a", "b"],
      ]);
      await results(user, ids, { kind: "removeRules", ids: ["a", "b"] });
      expect(await rulesOf()).to.deep.equal([["own"], []]);
      const invalid = await bulk(user, ids, { kind: "addRules", rules: [{ id: "x" }] });
      expect(invalid.status).to.equal(400);
    });

    it("tells sockets of one change, and of none where nothing changed", async () => {
      const { user, ids } = await userWith("events@example.org", 3);
      const count = async (): Promise<number> =>
        (
          await server.database.db
            .selectFrom("events")
            .where("user_id", "!=", bystander.id)
            .select("id")
            .where("resource", "=", "masks")
            .execute()
        ).length;
      const before = await count();
      await results(user, ids, { kind: "pin", pinned: true });
      expect(await count()).to.equal(before + 1);
      await results(user, ["no-id"], { kind: "pin", pinned: true });
      expect(await count()).to.equal(before + 1);
      expect((await list(user)).every(({ pinned }) => pinned)).to.equal(true);
    });

    it("refuses no ids, more than 250, and an unknown change", async () => {
      const { user, ids } = await userWith("wrong@example.org", 1);
      expect((await bulk(user, [], { kind: "delete" })).status).to.equal(400);
      const many = Array.from({ length: 251 }, (_, n) => `m${n}`);
      expect((await bulk(user, many, { kind: "delete" })).status).to.equal(400);
      expect((await bulk(user, ids, { kind: "explode" } as never)).status).to.equal(400);
      expect(await list(user)).to.have.length(1);
    });
  });
