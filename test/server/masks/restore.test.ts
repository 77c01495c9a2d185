import { expect } from "chai";
import type { Mask } from "../../../core/masks/mask.ts";
import { findMailRoute } from "../../../server/masks/mailRoute.ts";
import { prune } from "../../../server/ops/housekeeping.ts";
import { pruneJobs } from "../../../server/pruneJobs.ts";
import type { Client } from "../support/client.ts";
import { startServer, type TestServer } from "../support/startServer.ts";
import { everyStore, requireStore } from "../support/stores.ts";

const minute = 60_000;

for (const store of everyStore)
  describe(`A deleted mask, on ${store.name} (issue 11, 31)`, () => {
    let server: TestServer;
    let user: Client;

    before(async function () {
      await requireStore(store).call(this);
      server = await startServer({ store });
    });
    after(() => server?.stop());

    const create = async (): Promise<Mask> =>
      (await user.call("POST", "/masks", { body: { description: "Shop" } })).json as Mask;
    const list = async (): Promise<readonly Mask[]> =>
      ((await user.call("GET", "/masks")).json as { masks: Mask[] }).masks;
    const remove = async (id: string): Promise<void> => {
      expect((await user.call("DELETE", `/masks/${id}`)).status).to.equal(200);
    };
    const restore = (id: string, client = user) => client.call("POST", `/masks/${id}/restore`);
    const isRouted = async ({ maskEmail }: Mask): Promise<boolean> =>
      (await findMailRoute(server.database.engine, maskEmail)) !== null;

    it("takes no mail, is not listed and cannot be changed, and is restored unchanged within a minute", async () => {
      user = await server.signIn("back@example.org");
      const mask = await create();
      const { settings } = (
        await user.call("PUT", `/masks/${mask.id}`, { body: { settings: { spamFilter: true } } })
      ).json as Mask;
      await remove(mask.id);
      expect(await list()).to.deep.equal([]);
      expect(await isRouted(mask)).to.equal(false);
      expect((await user.call("PUT", `/masks/${mask.id}`, { body: { active: true } })).status).to.equal(404);
      expect((await user.call("DELETE", `/masks/${mask.id}`)).status).to.equal(404);
      server.clock.advance(50_000);
      const answer = await restore(mask.id);
      expect(answer.status).to.equal(200);
      expect(answer.json).to.deep.include({ id: mask.id, maskEmail: mask.maskEmail, active: true, settings });
      expect(await list()).to.deep.equal([answer.json]);
      expect(await isRouted(mask)).to.equal(true);
      expect((await restore(mask.id)).status, "once").to.equal(404);
    });

    it("stays switched off after a restore when it was switched off", async () => {
      user = await server.signIn("off@example.org");
      const { id } = await create();
      await user.call("PUT", `/masks/${id}`, { body: { active: false } });
      await remove(id);
      expect((await restore(id)).json).to.deep.include({ active: false });
    });

    it("needs a free place in the plan to be restored, which another mask may have taken", async () => {
      user = await server.signIn("full@example.org");
      const { id } = await create();
      await remove(id);
      await create();
      await create();
      const { status, json } = await restore(id);
      expect(status).to.equal(403);
      expect(json).to.deep.equal({
        message: "The Free plan has 2 masks. Delete one, or upgrade your plan to create more.",
      });
      expect(await list()).to.have.length(2);
    });

    it("can be restored by its owner alone, and is gone after a minute", async () => {
      user = await server.signIn("gone@example.org");
      const other = await server.signIn("other@example.org");
      const { id } = await create();
      await remove(id);
      expect((await restore(id, other)).status).to.equal(404);
      server.clock.advance(minute + 1);
      expect((await restore(id)).status).to.equal(404);
      await prune(server.database, pruneJobs, server.clock.now());
      const rows = await server.database.db.selectFrom("masks").select("id").where("id", "=", id).execute();
      expect(rows).to.deep.equal([]);
    });
  });
