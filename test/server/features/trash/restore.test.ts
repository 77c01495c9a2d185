import { expect } from "chai";
import { mailboxKey } from "../../../../core/mail/emailAddress.ts";
import type { Mask } from "../../../../core/masks/mask.ts";
import type { TrashedMask } from "../../../../core/trash/trashEndpoints.ts";
import { findMailRoute } from "../../../../server/features/masks/findMailRoute.ts";
import { claimAddress } from "../../../../server/features/masks/maskQueries.ts";
import type { Client } from "../../support/client.ts";
import { pruneAll } from "../../support/serverContext.ts";
import { startServer, type TestServer } from "../../support/startServer.ts";
import { everyStore, requireStore } from "../../support/stores.ts";

const day = 86_400_000;

for (const store of everyStore)
  describe(`A deleted mask, on ${store.name}`, () => {
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

    it("takes no mail, is not listed and cannot be changed, and is restored unchanged within 30 days", async () => {
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
      server.clock.advance(29 * day);
      user = await server.signIn("back@example.org");
      const answer = await restore(mask.id);
      expect(answer.status).to.equal(200);
      expect(answer.json).to.deep.include({ id: mask.id, maskEmail: mask.maskEmail, active: true, settings });
      expect(await list()).to.deep.equal([answer.json]);
      expect(await isRouted(mask)).to.equal(true);
      expect((await restore(mask.id)).status, "once").to.equal(404);
    });

    it("is no place in the list of another user", async () => {
      user = await server.signIn("deleter@example.org");
      const { id } = await create();
      await remove(id);
      const other = await server.signIn("reader@example.org");
      expect((await user.call("GET", `/masks/trash?after=${id}`)).status).to.equal(200);
      const answer = await other.call("GET", `/masks/trash?after=${id}`);
      expect(answer.status, answer.text).to.equal(
        (await other.call("GET", "/masks/trash?after=none")).status,
      );
      expect(answer.status).to.equal(400);
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

    const trash = async (client = user): Promise<readonly TrashedMask[]> =>
      ((await client.call("GET", "/masks/trash")).json as { masks: TrashedMask[] }).masks;

    it("is listed in the trash with its rules and figures, the last deleted first, until it is restored", async () => {
      user = await server.signIn("trash@example.org");
      const [first, second] = [await create(), await create()];
      await user.call("PUT", `/masks/${first.id}`, { body: { note: "For books", labels: ["shop"] } });
      await remove(first.id);
      server.clock.advance(day);
      user = await server.signIn("trash@example.org");
      await remove(second.id);
      const [latest, earlier] = await trash();
      expect([latest?.id, earlier?.id]).to.deep.equal([second.id, first.id]);
      expect(earlier).to.deep.include({ note: "For books", labels: ["shop"], active: true });
      expect(earlier?.statistics?.totalReceived).to.equal(0);
      expect(Date.parse(earlier?.until ?? "") - Date.parse(earlier?.deleted ?? "")).to.equal(30 * day);
      const other = await server.signIn("nosy@example.org");
      expect(await trash(other)).to.deep.equal([]);
      expect((await restore(first.id)).status).to.equal(200);
      expect((await trash()).map(({ id }) => id)).to.deep.equal([second.id]);
    });

    it("is deleted for good by its owner alone, and nobody gets its address again", async () => {
      user = await server.signIn("good@example.org");
      const other = await server.signIn("nosy@example.org");
      const mask = await create();
      const forGood = (client = user) => client.call("DELETE", `/masks/trash/${mask.id}`);
      expect((await forGood()).status, "not in the trash yet").to.equal(404);
      await remove(mask.id);
      expect((await forGood(other)).status).to.equal(404);
      expect((await forGood()).status).to.equal(200);
      expect(await trash()).to.deep.equal([]);
      expect((await restore(mask.id)).status).to.equal(404);
      const isFree = await claimAddress(server.database.db, mailboxKey(mask.maskEmail), server.clock.now());
      expect(isFree, "its address is reserved forever").to.equal(false);
    });

    it("can be restored by its owner alone, and is gone after 30 days", async () => {
      user = await server.signIn("gone@example.org");
      const other = await server.signIn("other@example.org");
      const { id } = await create();
      await remove(id);
      expect((await restore(id, other)).status).to.equal(404);
      server.clock.advance(30 * day + 1);
      user = await server.signIn("gone@example.org");
      expect((await restore(id)).status).to.equal(404);
      await pruneAll(server.database, server.clock.now());
      const rows = await server.database.db.selectFrom("masks").select("id").where("id", "=", id).execute();
      expect(rows).to.deep.equal([]);
    });
  });
