import { expect } from "chai";
import type { Client } from "../../support/client.ts";
import { startServer, type TestServer } from "../../support/startServer.ts";
import { everyStore, requireStore } from "../../support/stores.ts";

for (const store of everyStore)
  describe(`The senders that a mask always accepts, on ${store.name}`, () => {
    let server: TestServer;
    before(async function () {
      await requireStore(store).call(this);
      server = await startServer({ store });
    });
    after(() => server?.stop());

    it("are neither read, added nor removed by another user who knows the mask and the sender", async () => {
      const ada: Client = await server.signIn("ada@home.example");
      const eve: Client = await server.signIn("eve@home.example");
      const { id } = (await ada.call("POST", "/masks", { body: { description: "Shop" } })).json as {
        id: string;
      };
      const path = `/masks/${id}/senders`;
      expect((await ada.call("PUT", `${path}/shop.example`, { body: { list: "allow" } })).status).to.equal(
        200,
      );
      const before = (await ada.call("GET", path)).json;
      for (const [method, to, body] of [
        ["GET", path, undefined],
        ["PUT", `${path}/evil.example`, { list: "allow" }],
        ["PUT", `${path}/shop.example`, { list: "block" }],
        ["DELETE", `${path}/shop.example`, undefined],
      ] as const)
        expect((await eve.call(method, to, { body })).status, `${method} ${to}`).to.equal(404);
      expect((await ada.call("GET", path)).json).to.deep.equal(before);
    });
  });
