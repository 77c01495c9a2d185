import { expect } from "chai";
import { bystander } from "../../support/bystander.ts";
import type { Client } from "../../support/client.ts";
import { startServer, type TestServer } from "../../support/startServer.ts";
import { everyStore, requireStore } from "../../support/stores.ts";
import { setTier } from "../../support/tier.ts";

for (const store of everyStore)
  describe(`The number of masks in a plan, on ${store.name}`, () => {
    let server: TestServer;

    before(async function () {
      await requireStore(store).call(this);
      server = await startServer({ store });
    });
    after(() => server?.stop());

    const create = (user: Client) => user.call("POST", "/masks", { body: { description: "One of many" } });
    const ids = async (user: Client): Promise<string[]> =>
      ((await user.call("GET", "/masks")).json as { masks: { id: string }[] }).masks.map(({ id }) => id);
    const count = async (email: string): Promise<number> =>
      (
        await server.database.db
          .selectFrom("users")
          .select("mask_count")
          .where("email", "=", email)
          .executeTakeFirstOrThrow()
      ).mask_count;

    it("is exactly 2 on Free after 200 parallel creations, and the refusals name the plan (D34)", async () => {
      const user = await server.signIn("many@example.org");
      const answers = await Promise.all(Array.from({ length: 200 }, () => create(user)));
      expect(answers.filter(({ status }) => status === 201)).to.have.length(2);
      const refused = answers.filter(({ status }) => status === 403);
      expect(refused).to.have.length(198);
      expect(refused[0]?.json).to.deep.equal({
        message: "The Free plan has 2 masks. Delete one, or upgrade your plan to create more.",
      });
      expect(await ids(user)).to.have.length(2);
      expect(await count("many@example.org")).to.equal(2);
      const addresses = await server.database.db
        .selectFrom("mask_addresses")
        .where("mask_id", "is distinct from", bystander.maskId)
        .select("mask_id")
        .execute();
      expect(addresses, "a refused creation takes no address").to.have.length(2);
    });

    it("stays within the limit while masks are created and deleted in parallel", async () => {
      const user = await server.signIn("coming@example.org");
      await Promise.all(
        Array.from({ length: 60 }, async (_, n) => {
          await create(user);
          if (n % 3 === 0) for (const id of await ids(user)) await user.call("DELETE", `/masks/${id}`);
        }),
      );
      const left = await ids(user);
      expect(left.length).to.be.at.most(2);
      expect(await count("coming@example.org")).to.equal(left.length);
    });

    it("decreases by one when a mask is deleted twenty times in parallel", async () => {
      const user = await server.signIn("going@example.org");
      await create(user);
      await create(user);
      const [id] = await ids(user);
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => user.call("DELETE", `/masks/${id}`)),
      );
      expect(answers.filter(({ status }) => status === 200)).to.have.length(1);
      expect(answers.filter(({ status }) => status === 404)).to.have.length(19);
      expect(await count("going@example.org")).to.equal(1);
    });

    it("is told as a limit of the server where no plans are sold", async () => {
      const free = await startServer({ store, defaultTier: "free" });
      const user = await free.signIn("limited@example.org");
      const ids: string[] = [];
      for (let n = 0; n < 2; n++) ids.push(((await create(user)).json as { id: string }).id);
      const refusals = [
        await create(user),
        await user.call("POST", "/masks", { body: { description: "x", customPrefix: "shop" } }),
      ];
      await user.call("DELETE", `/masks/${ids[0]}`);
      const prefix = await user.call("POST", "/masks", { body: { description: "x", customPrefix: "shop" } });
      await create(user);
      refusals.push(await user.call("POST", `/masks/${ids[0]}/restore`), prefix);
      expect(refusals.map(({ status }) => status)).to.deep.equal([403, 403, 403, 403]);
      const texts = refusals.map(({ json }) => (json as { message: string }).message);
      const limit = "This server allows 2 masks an account. Delete one to create another.";
      expect(texts).to.deep.equal([
        limit,
        limit,
        limit,
        "Your account cannot choose the prefix on this server. Leave the prefix empty.",
      ]);
      await free.stop();
    });

    it("has no limit where the plan has none", async () => {
      const user = await server.signIn("premium@example.org");
      await setTier(server.database, "premium@example.org", "pro_premium");
      const answers = await Promise.all(Array.from({ length: 40 }, () => create(user)));
      expect(answers.every(({ status }) => status === 201)).to.equal(true);
      const masks = (await user.call("GET", "/masks")).json as { masks: { maskEmail: string }[] };
      expect(new Set(masks.masks.map(({ maskEmail }) => maskEmail)).size).to.equal(40);
    });
  });
