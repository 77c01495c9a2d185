import { expect } from "chai";
import type { InsightsAnswer } from "../../../../core/insights/insightsEndpoints.ts";
import { monthOf } from "../../../../server/delivery/usageQueries.ts";
import { addCounts } from "../../../../server/features/insights/countQueries.ts";
import { bystander } from "../../support/bystander.ts";
import type { Client } from "../../support/client.ts";
import { startServer, type TestServer } from "../../support/startServer.ts";
import { everyStore, requireStore } from "../../support/stores.ts";
import { setTier } from "../../support/tier.ts";

const email = "ada@home.example";

for (const store of everyStore)
  describe(`Suggestions, on ${store.name}`, () => {
    let server: TestServer;
    let ada: Client;
    let maskId: string;

    before(requireStore(store));
    beforeEach(async () => {
      server = await startServer({ store });
      ada = await server.signIn(email);
      await setTier(server.database, email, "pro");
      maskId = await addMask("Shop");
    });
    afterEach(() => server?.stop());

    const addMask = async (description: string): Promise<string> =>
      ((await ada.call("POST", "/masks", { body: { description } })).json as { id: string }).id;
    const userId = async (): Promise<string> =>
      (
        await server.database.db
          .selectFrom("users")
          .where("id", "!=", bystander.id)
          .select("id")
          .executeTakeFirstOrThrow()
      ).id;
    const count = async (mask: string, kind: "flow" | "sender" | "category", key: string, n: number) => {
      const now = server.clock.now();
      const one = { userId: await userId(), kind, key, n, period: monthOf(now) };
      await addCounts(server.database.db, server.database.engine, [{ ...one, maskId: mask }], now);
    };
    const read = async (by: Client = ada, query = ""): Promise<InsightsAnswer["suggestions"]> =>
      ((await by.call("GET", `/ai/insights${query}`)).json as InsightsAnswer).suggestions;
    const keys = async (by: Client = ada): Promise<readonly string[]> =>
      (await read(by)).map(({ actionKey, status }) => `${actionKey} ${status}`);
    const say = (actionKey: string, status: number, by: Client = ada) =>
      by.call("POST", "/ai/insights", { body: { actionKey, category: "All", status } });

    it("come from the figures, each with the values that fill its form", async () => {
      await count(maskId, "flow", "received", 40);
      await count(maskId, "category", "promotional", 30);
      const found = await read();
      expect(found.map(({ actionKey }) => actionKey)).to.deep.equal([
        "two-factor",
        "encryption",
        `promotions:${maskId}`,
      ]);
      expect(found.at(-1)).to.deep.include({ action: "createFilterRule", status: 0, applied: false, maskId });
      expect(found.at(-1)?.description).to.include("30 of its 40 emails");
      expect(found.at(-1)?.rule?.actions[0]?.type).to.equal("archive");
      expect(await read(ada, `?maskId=${maskId}`)).to.have.lengthOf(1);
    });

    it("name a sender that writes to three masks although it should know one", async () => {
      for (const mask of [maskId, await addMask("Bank"), await addMask("Forum")])
        await count(mask, "sender", "spam.example", 2);
      expect(await keys()).to.include("leak:spam.example 0");
    });

    it("count a registrable domain once, and state what was observed without accusing anyone", async () => {
      const hosts = ["mail.spam.co.uk", "news.spam.co.uk", "spam.co.uk"];
      for (const [n, mask] of [maskId, await addMask("Bank"), await addMask("Forum")].entries())
        await count(mask, "sender", hosts[n] ?? "", 2);
      const leak = (await read()).find(({ actionKey }) => actionKey === "leak:spam.co.uk");
      expect(leak?.title).to.equal("spam.co.uk writes to 3 of your masks");
      expect(leak?.description).not.to.match(/passed on|leak/);
      expect(await keys()).not.to.include("leak:mail.spam.co.uk 0");
    });

    it("state how many domains write to a mask, with subdomains counted as one", async () => {
      for (const n of [1, 2, 3, 4, 5]) {
        await count(maskId, "sender", `a.s${n}.example`, 2);
        await count(maskId, "sender", `b.s${n}.example`, 1);
      }
      await count(maskId, "sender", "c.s1.example", 3);
      const split = (await read()).find(({ actionKey }) => actionKey === `split:${maskId}`);
      expect(split?.title).to.match(/^5 domains write to /);
      expect(split?.description).to.match(/^s1\.example, s2\.example/);
    });

    it("stay applied on all devices, also when their cause no longer exists", async () => {
      expect((await say("two-factor", 1)).status).to.equal(200);
      await server.database.db
        .updateTable("users")
        .where("id", "!=", bystander.id)
        .set({ two_factor: 0 })
        .execute();
      const elsewhere = await server.signIn(email);
      expect(await keys(elsewhere)).to.deep.equal(["encryption 0", "two-factor 1"]);
      await server.database.db
        .updateTable("users")
        .where("id", "!=", bystander.id)
        .set({ key_status: "configured" })
        .execute();
      expect(await keys(elsewhere)).to.deep.equal(["two-factor 1"]);
    });

    it("stay off the list once they are dismissed, until the dismissal is undone", async () => {
      await say("encryption", 2);
      expect(await keys()).to.deep.equal(["two-factor 0"]);
      await say("encryption", 0);
      expect(await keys()).to.deep.equal(["two-factor 0", "encryption 0"]);
    });

    it("are listed as applied although what was done has ended their cause", async () => {
      const [first] = await read();
      expect(first?.actionKey).to.equal("two-factor");
      const suggestion = { ...first, actionKey: "split:gone", title: "Three domains write to “Forum”" };
      const body = { actionKey: "split:gone", category: "All", status: 1 };
      expect((await ada.call("POST", "/ai/insights", { body })).status).to.equal(404);
      const other = { ...body, actionKey: "split:other", suggestion };
      expect((await ada.call("POST", "/ai/insights", { body: other })).status).to.equal(404);
      const large = { ...body, suggestion: { ...suggestion, description: "x".repeat(8_000) } };
      expect((await ada.call("POST", "/ai/insights", { body: large })).status).to.equal(404);
      expect((await ada.call("POST", "/ai/insights", { body: { ...body, suggestion } })).status).to.equal(
        200,
      );
      expect(await keys()).to.include("split:gone 1");
    });

    it("cannot be marked when they do not exist or belong to another user", async () => {
      expect((await say(`promotions:${maskId}`, 1)).status).to.equal(404);
      expect((await say("two-factor", 7)).status).to.equal(400);
      const eve = await server.signIn("eve@home.example");
      await say("two-factor", 2, eve);
      expect(await keys()).to.include("two-factor 0");
      expect((await eve.call("GET", `/ai/insights?maskId=${maskId}`)).status).to.equal(404);
    });

    it("are updated on open pages when one is marked on another device", async () => {
      await say("two-factor", 2);
      const events = await server.database.db
        .selectFrom("events")
        .where("user_id", "!=", bystander.id)
        .select("resource")
        .execute();
      expect(events.map(({ resource }) => resource)).to.include("insights");
    });
  });
