import { expect } from "chai";
import type { Database } from "../../../../server/platform/store/database.ts";
import { type Client, copyClient, createClient } from "../../support/client.ts";
import { onEachDatabase } from "../../support/databases.ts";
import { notify, userIdOf } from "../../support/notify.ts";
import { newSecrets } from "../../support/serverContext.ts";
import { isType, openSocket, type SocketClient } from "../../support/socketClient.ts";
import { startServer, type TestServer } from "../../support/startServer.ts";
import type { TestStore } from "../../support/stores.ts";

/** A store that outlives the server that uses it. */
const shared = (database: Database): TestStore => ({
  name: "lent",
  isAvailable: () => true,
  open: async () => ({ ...database, close: async () => {} }),
});

describe("Two server processes on one store", () => {
  onEachDatabase(({ database, another }) => {
    let here: TestServer;
    let there: TestServer;
    let user: Client;
    let socket: SocketClient;

    beforeEach(async () => {
      const secrets = newSecrets();
      here = await startServer({ store: shared(database()), secrets });
      there = await startServer({ store: shared(await another()), secrets });
      user = await here.signIn("owner@example.org");
      socket = await openSocket(here.origin, user);
      await socket.waitFor(isType("connection_established"));
    });
    afterEach(async () => {
      socket?.socket.terminate();
      await here?.stop();
      await there?.stop();
    });

    const elsewhere = (): Client => copyClient(there.origin, user);

    it("share the sessions, and close a socket with 1008 after a logout in the other", async () => {
      const other = elsewhere();
      expect((await other.call("GET", "/account")).status).to.equal(200);
      await other.call("POST", "/logout");
      expect((await socket.closed).code).to.equal(1008);
    });

    it("refuse an API token from the moment on at which the other has revoked it", async () => {
      const { json } = await user.call("POST", "/account/api-tokens", {
        body: { name: "Script", scopes: ["masks:read"], domain: null, lifetimeDays: null },
      });
      const { token, apiToken } = json as {
        readonly token: string;
        readonly apiToken: { readonly id: string };
      };
      const program = createClient(there.origin);
      program.token = token;
      for (let n = 0; n < 3; n += 1) expect((await program.call("GET", "/masks")).status).to.equal(200);
      await user.call("DELETE", `/account/api-tokens/${apiToken.id}`);
      expect((await program.call("GET", "/masks")).status).to.equal(401);
    });

    it("refuse the requests of a session from the moment on at which it is ended in the other", async () => {
      const other = elsewhere();
      for (let n = 0; n < 3; n += 1) expect((await other.call("GET", "/masks")).status).to.equal(200);
      await user.call("POST", "/logout");
      expect((await other.call("GET", "/masks")).status).to.equal(401);
    });

    it("refresh one session once, in whichever of them it is requested", async () => {
      const tabs = Array.from({ length: 10 }, (_, n) => copyClient(n % 2 ? here.origin : there.origin, user));
      const answers = await Promise.all(tabs.map((tab) => tab.refresh()));
      expect(answers.map(({ status }) => status)).to.deep.equal(Array(10).fill(200));
      expect(new Set(tabs.map(({ cookies }) => cookies.get("maskSession"))).size).to.equal(2);
    });

    it("answer a request once that is repeated to the other", async () => {
      const created = await Promise.all(
        Array.from({ length: 6 }, (_, n) =>
          copyClient(n % 2 ? here.origin : there.origin, user).call("POST", "/masks", {
            body: { description: "Shop" },
            headers: { "x-request-id": "one" },
          }),
        ),
      );
      expect(new Set(created.map(({ status, text }) => `${status} ${text}`)).size).to.equal(1);
    });

    it("send to their sockets what the other has committed", async () => {
      socket.send("subscribe", { channel: "notifications" });
      socket.send("ping");
      await socket.waitFor(isType("pong"));
      const id = await notify(
        there.database,
        await userIdOf(there.database, "owner@example.org"),
        "From there",
      );
      const { data } = await socket.waitFor(isType("notification"));
      expect(data).to.include({ id, message: "From there" });
      await elsewhere().call("PUT", "/notifications/read", { body: { all: true } });
      await socket.waitFor(isType("read_status_updated"));
    });
  });
});
