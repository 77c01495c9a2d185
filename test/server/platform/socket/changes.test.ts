import { expect } from "chai";
import type { Database } from "../../../../server/platform/store/database.ts";
import { type Client, copyClient } from "../../support/client.ts";
import { onEachDatabase } from "../../support/databases.ts";
import { newSecrets } from "../../support/serverContext.ts";
import { openSocket, receivedData, type SocketClient, settle } from "../../support/socketClient.ts";
import { startServer, type TestServer } from "../../support/startServer.ts";
import type { TestStore } from "../../support/stores.ts";
import { setTier } from "../../support/tier.ts";

/** A store that outlives the server that uses it. */
const shared = (database: Database): TestStore => ({
  name: "shared",
  isAvailable: () => true,
  open: async () => ({ ...database, close: async () => {} }),
});

describe("A change from another page", () => {
  onEachDatabase(({ database, another }) => {
    let servers: readonly [TestServer, TestServer];
    let user: Client;
    let opened: SocketClient[];

    beforeEach(async () => {
      const secrets = newSecrets();
      servers = [
        await startServer({ store: shared(database()), secrets }),
        await startServer({ store: shared(await another()), secrets }),
      ];
      user = await servers[0].signIn("owner@example.org");
      opened = [];
    });
    afterEach(async () => {
      for (const { socket } of opened) socket.terminate();
      for (const server of servers) await server.stop();
    });

    const open = async (server: TestServer, clientId: string): Promise<SocketClient> => {
      const socket = await openSocket(server.origin, user, { clientId });
      opened.push(socket);
      for (const resource of ["account", "masks"]) socket.send("subscribe", { resource });
      await settle(socket);
      return socket;
    };
    const messages = (socket: SocketClient, resource: string) =>
      receivedData(socket, "data_update").filter((data) => data?.["resource"] === resource);
    const create = async (): Promise<{ readonly id: string }> =>
      (await user.call("POST", "/masks", { body: { description: "Shop" } })).json as { id: string };
    const by = (clientId: string) => ({ headers: { "x-client-id": clientId } });

    it("is told by the state of the list, which the answer to a subscription and GET /masks name alike", async () => {
      const socket = await open(servers[1], "tab");
      const named = async (): Promise<unknown> => {
        socket.send("subscribe", { resource: "masks" });
        await settle(socket);
        return receivedData(socket, "resource_version").at(-1);
      };
      const listed = async () => ((await user.call("GET", "/masks")).json as { version: string }).version;
      const before = await listed();
      expect(await named()).to.deep.equal({ resource: "masks", version: before });
      await create();
      const after = await listed();
      expect(after).to.not.equal(before);
      expect(await named()).to.deep.equal({ resource: "masks", version: after });
    });

    it("arrives completely in every process, and not at the tab that made it", async () => {
      const [tab, secondTab] = [await open(servers[0], "tab"), await open(servers[0], "second-tab")];
      const elsewhere = await open(servers[1], "elsewhere");
      const all = [tab, secondTab, elsewhere];
      const { id } = await create();
      for (const socket of all) await settle(socket);
      const before = messages(tab, "masks").length;

      const edit = { body: { description: "Bakery" }, ...by("tab") };
      const { json: entity } = await user.call("PUT", `/masks/${id}`, edit);
      const other = copyClient(servers[1].origin, user);
      for (const socket of all) await settle(socket);
      expect(messages(secondTab, "masks").at(-1)).to.deep.equal({
        resource: "masks",
        resourceId: id,
        action: "updated",
        entity,
      });
      expect(messages(elsewhere, "masks").at(-1)).to.deep.include({ entity });
      expect(messages(tab, "masks")).to.have.length(before);

      await other.call("DELETE", `/masks/${id}`, by("elsewhere"));
      for (const socket of all) await settle(socket);
      for (const socket of [tab, secondTab])
        expect(messages(socket, "masks").at(-1)).to.deep.include({ action: "deleted", entity: null });
      expect(messages(elsewhere, "masks").at(-1)).to.deep.include({ action: "updated" });
    });

    it("updates the account with its usage in every tab", async () => {
      const [tab, elsewhere] = [await open(servers[0], "tab"), await open(servers[1], "elsewhere")];
      await user.call("POST", "/masks", { body: { description: "Shop" }, ...by("tab") });
      const { json: entity } = await user.call("GET", "/account");
      for (const socket of [tab, elsewhere]) {
        await settle(socket);
        expect(messages(socket, "account").at(-1)).to.deep.equal({
          resource: "account",
          action: "updated",
          entity,
        });
      }
    });

    it("updates access to content and its features, and keys, completely in the other tabs", async () => {
      const elsewhere = await open(servers[1], "elsewhere");
      elsewhere.send("subscribe", { resource: "keys" });
      elsewhere.send("subscribe", { resource: "content-access" });
      await settle(elsewhere);
      await setTier(servers[0].database, "owner@example.org", "pro");
      const access = { contentAccessEnabled: true, acknowledgment: true };
      await user.call("PUT", "/ai/content-access", { body: access, ...by("tab") });
      await user.call("DELETE", "/keys", by("tab"));
      await settle(elsewhere);
      const { json: answer } = await user.call("GET", "/ai/content-access");
      const { json: preferences } = await user.call("GET", "/ai/preferences");
      expect(messages(elsewhere, "content-access").at(-1)).to.deep.equal({
        resource: "content-access",
        action: "updated",
        entity: { ...(answer as object), preferences },
      });
      expect(messages(elsewhere, "keys").at(-1)).to.deep.equal({
        resource: "keys",
        action: "updated",
        entity: { status: "not-configured", keys: [] },
      });
      expect(messages(elsewhere, "account").at(-1)).to.have.property("entity");
    });

    it("is announced without the mask when the mask is very large", async () => {
      const elsewhere = await open(servers[1], "elsewhere");
      const { id } = await create();
      const condition = { field: "subject", operator: "contains", value: ["x".repeat(900)] };
      const rules = Array.from({ length: 80 }, (_, n) => ({
        id: `r${n}`,
        name: `Rule ${n}`,
        type: "content_filter",
        enabled: true,
        conditions: [condition],
        actions: [{ type: "tag", params: { tag: "Sale" } }],
      }));
      const { status } = await user.call("PUT", `/masks/${id}`, { body: { settings: { rules } } });
      expect(status).to.equal(200);
      await settle(elsewhere);
      expect(messages(elsewhere, "masks").at(-1)).to.deep.equal({
        resource: "masks",
        resourceId: id,
        action: "updated",
      });
    });

    it("has a timestamp of its own, also when two edits are made in the same millisecond", async () => {
      const { id } = await create();
      const edits = await Promise.all(
        Array.from({ length: 8 }, (_, n) =>
          copyClient(servers[n % 2 ? 0 : 1].origin, user).call("PUT", `/masks/${id}`, {
            body: { description: `Edit ${n}` },
          }),
        ),
      );
      const times = edits.map(({ json }) => (json as { readonly updated: string }).updated);
      expect(new Set(times).size).to.equal(edits.length);
      const last = edits.toSorted((a, b) => (timeOf(a) < timeOf(b) ? -1 : 1)).at(-1)?.json;
      expect((await user.call("GET", `/masks/${id}`)).json).to.deep.equal(last);
    });
    const timeOf = ({ json }: { readonly json: unknown }): string =>
      (json as { readonly updated: string }).updated;
  });
});
