import { expect } from "chai";
import type { Mask } from "../../../../core/masks/mask.ts";
import { bystander } from "../../support/bystander.ts";
import type { Client } from "../../support/client.ts";
import { startServer, type TestServer } from "../../support/startServer.ts";
import { everyStore, requireStore } from "../../support/stores.ts";

const requestId = "0123456789abcdef0123456789abcdef";
const another = "fedcba9876543210fedcba9876543210";

for (const store of everyStore)
  describe(`A request for a mask, made without a connection, on ${store.name}`, () => {
    let server: TestServer;

    before(async function () {
      await requireStore(store).call(this);
      server = await startServer({ store, defaultTier: "self_hosted" });
    });
    after(() => server?.stop());

    const send = (user: Client, id: unknown) =>
      user.call("POST", "/masks", { body: { description: "Corner Shop", metadata: { requestId: id } } });
    const masksOf = async (user: Client): Promise<readonly Mask[]> =>
      ((await user.call("GET", "/masks")).json as { masks: Mask[] }).masks;
    const countOf = async (email: string): Promise<number> => {
      const users = server.database.db
        .selectFrom("users")
        .where("id", "!=", bystander.id)
        .select("mask_count");
      return (await users.where("email", "=", email).executeTakeFirstOrThrow()).mask_count;
    };

    it("makes one mask when it is sent twice, and both answers are that mask", async () => {
      const user = await server.signIn("twice@example.org");
      const [first, second] = [await send(user, requestId), await send(user, requestId)];
      expect([first.status, second.status]).to.deep.equal([201, 201]);
      expect(second.json).to.deep.equal(first.json);
      expect((await masksOf(user)).map(({ id }) => id)).to.deep.equal([(first.json as Mask).id]);
      expect(await countOf("twice@example.org")).to.equal(1);
    });

    it("makes one mask when it is sent many times at once", async () => {
      const user = await server.signIn("atonce@example.org");
      const answers = await Promise.all(Array.from({ length: 20 }, () => send(user, requestId)));
      expect(answers.map(({ status }) => status)).to.deep.equal(answers.map(() => 201));
      expect(new Set(answers.map(({ json }) => (json as Mask).maskEmail)).size).to.equal(1);
      expect(await masksOf(user)).to.have.length(1);
      expect(await countOf("atonce@example.org")).to.equal(1);
    });

    it("makes a mask for each request, and for each user who has the same one", async () => {
      const [ada, bob] = [await server.signIn("ada@example.org"), await server.signIn("bob@example.org")];
      const answers = [await send(ada, requestId), await send(ada, another), await send(bob, requestId)];
      expect(new Set(answers.map(({ json }) => (json as Mask).id)).size).to.equal(3);
      expect([(await masksOf(ada)).length, (await masksOf(bob)).length]).to.deep.equal([2, 1]);
    });

    it("makes no second mask after the first one was deleted, and says so", async () => {
      const user = await server.signIn("deleted@example.org");
      const { id } = (await send(user, requestId)).json as Mask;
      await user.call("DELETE", `/masks/${id}`);
      const again = await send(user, requestId);
      expect([again.status, (again.json as { message: string }).message]).to.deep.equal([
        409,
        "This mask was created already, and has been deleted since.",
      ]);
      expect(await masksOf(user)).to.deep.equal([]);
    });

    it("is refused with a field error when it is not an id", async () => {
      const user = await server.signIn("bad@example.org");
      for (const bad of [
        "",
        "shop",
        `${requestId}0`,
        requestId.toUpperCase(),
        '%"',
        `%${requestId.slice(1)}`,
        7,
      ]) {
        const { status, json } = await send(user, bad);
        expect(status, String(bad)).to.equal(400);
        expect(json, String(bad)).to.have.nested.property("errors[0].field", "metadata.requestId");
      }
      expect(await masksOf(user)).to.deep.equal([]);
    });
  });
