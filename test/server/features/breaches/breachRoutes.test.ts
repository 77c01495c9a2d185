import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import { startServer, type TestServer } from "../../support/startServer.ts";
import { everyStore, requireStore } from "../../support/stores.ts";

for (const store of everyStore)
  describe(`The search for a mask in known leaks, on ${store.name}`, () => {
    let server: TestServer;
    let isAnswering = true;
    const source = createServer((_, response) => void response.writeHead(isAnswering ? 200 : 500).end(""));
    before(requireStore(store));
    after(() => {
      source.closeAllConnections();
      source.close();
    });
    afterEach(() => server?.stop());

    const open = async (breachRanges?: string) => {
      server = await startServer({ store, ...(breachRanges === undefined ? {} : { breachRanges }) });
      const ada = await server.signIn("ada@home.example");
      const { id } = (await ada.call("POST", "/masks", { body: { description: "Shop" } })).json as {
        id: string;
      };
      return { ada, path: `/masks/${id}/breaches` };
    };
    const url = async (): Promise<string> => {
      if (!source.listening) await once(source.listen(0, "127.0.0.1"), "listening");
      return `http://127.0.0.1:${(source.address() as AddressInfo).port}/range`;
    };
    const flags = async () =>
      ((await server.client().call("GET", "/config.json")).json as { flags: { breachCheck?: boolean } })
        .flags;

    it("is off where the operator names no source", async () => {
      const { ada, path } = await open();
      expect((await ada.call("GET", path)).status).to.equal(404);
      expect((await flags()).breachCheck).to.equal(undefined);
    });

    it("answers for masks of one's own, and says when the source does not answer", async () => {
      const { ada, path } = await open(await url());
      expect((await flags()).breachCheck).to.equal(true);
      isAnswering = true;
      expect((await ada.call("GET", path)).json).to.deep.equal({ times: 0 });
      const bob = await server.signIn("bob@home.example");
      expect((await bob.call("GET", path)).status).to.equal(404);
      isAnswering = false;
      const failed = await ada.call("GET", path);
      expect([failed.status, (failed.json as { message: string }).message]).to.deep.equal([
        503,
        "The source of leaked addresses does not answer. Try again later.",
      ]);
    });
  });
