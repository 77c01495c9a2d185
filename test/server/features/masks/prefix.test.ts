import { expect } from "chai";
import type { Mask } from "../../../../core/masks/mask.ts";
import { tiers } from "../../../../core/tiers/tier.ts";
import { findMailRoute } from "../../../../server/features/masks/findMailRoute.ts";
import type { Client } from "../../support/client.ts";
import { startServer, type TestServer } from "../../support/startServer.ts";
import { setTier } from "../../support/tier.ts";

describe("The custom prefix of a mask's address", () => {
  let server: TestServer;
  let user: Client;

  beforeEach(async () => {
    server = await startServer();
    user = await server.signIn("owner@example.org");
    await setTier(server.database, "owner@example.org", "pro_premium");
  });
  afterEach(() => server.stop());

  const create = async (body: object): Promise<Mask> => {
    const { json } = await user.call("POST", "/masks", { body: { description: "Shop", ...body } });
    return json as Mask;
  };
  const edit = (id: string, body: object) => user.call("PUT", `/masks/${id}`, { body });
  const reaches = async (address: string): Promise<string | undefined> =>
    (await findMailRoute(server.database.engine, address))?.maskId;

  it("needs the Premium plan where plans are sold, and a refusal names the plan (D16)", async () => {
    for (const tier of tiers) {
      await setTier(server.database, "owner@example.org", tier);
      const answer = await user.call("POST", "/masks", { body: { description: "x", customPrefix: "shop" } });
      if (tier === "pro_premium" || tier === "self_hosted") expect(answer.status, tier).to.equal(201);
      else {
        expect(answer.status, tier).to.equal(403);
        expect((answer.json as { message: string }).message).to.contain("the Premium plan");
        expect(answer.json).to.have.nested.property("errors[0].field", "customPrefix");
      }
    }
  });

  it("is followed by a dot and ten random characters, in lower case", async () => {
    const mask = await create({ customPrefix: "My-Shop_1.x" });
    expect(mask.customPrefix).to.equal("My-Shop_1.x");
    expect(mask.maskEmail).to.match(/^my-shop_1\.x\.[bcdfghjkmnpqrstvwxyz2-9]{10}@masks\.test$/);
    const twin = await create({ customPrefix: "My-Shop_1.x" });
    expect(twin.maskEmail).not.to.equal(mask.maskEmail);
    expect((await create({ customPrefix: null })).maskEmail).to.match(/^[^.]{10}@/);
  });

  it("changes with an edit, while mail to the previous address still arrives", async () => {
    const mask = await create({});
    const changed = (await edit(mask.id, { customPrefix: "shop" })).json as Mask;
    expect(changed.maskEmail).to.match(/^shop\.[^.]{10}@/);
    expect(await reaches(mask.maskEmail)).to.equal(mask.id);
    expect(await reaches(changed.maskEmail.toUpperCase())).to.equal(mask.id);

    const again = (await edit(mask.id, { customPrefix: "SHOP" })).json as Mask;
    expect(again.maskEmail, "the same prefix is no change").to.equal(changed.maskEmail);
    const without = (await edit(mask.id, { customPrefix: null })).json as Mask;
    expect(without.maskEmail, "back to what it was before").to.equal(mask.maskEmail);
    const back = (await edit(mask.id, { customPrefix: "shop" })).json as Mask;
    expect(back.maskEmail).to.equal(changed.maskEmail);
  });

  it("stays when the plan no longer includes it, and can be removed", async () => {
    const mask = await create({ customPrefix: "shop" });
    await setTier(server.database, "owner@example.org", "free");
    expect((await edit(mask.id, { description: "New", customPrefix: "shop" })).status).to.equal(200);
    expect((await edit(mask.id, { description: "Newer", customPrefix: "other" })).status).to.equal(403);
    expect((await user.call("GET", `/masks/${mask.id}`)).json, "nothing of a refused edit stays").to.include({
      description: "New",
    });
    expect((await edit(mask.id, { customPrefix: null })).status).to.equal(200);
  });

  it("gives one mask at most twenty addresses", async () => {
    const mask = await create({});
    for (let change = 1; change < 20; change++)
      expect((await edit(mask.id, { customPrefix: `shop${change}` })).status).to.equal(200);
    const { status, json } = await edit(mask.id, { customPrefix: "another" });
    expect(status).to.equal(403);
    expect(json).to.have.property("message", "A mask has at most 20 addresses. Create a new mask.");
    expect((await edit(mask.id, { customPrefix: "shop1" })).status).to.equal(200);
  });
});
