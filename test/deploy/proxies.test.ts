import { request } from "node:http";
import { expect } from "chai";
import { type Client, createClient } from "../server/support/client.ts";
import { openSocket, type SocketClient, settle } from "../server/support/socketClient.ts";
import { startServer, type TestServer } from "../server/support/startServer.ts";
import { freePort } from "../support/freePort.ts";
import { skipWithout } from "../support/missing.ts";
import { hasProxy, proxyNames, startProxy } from "../support/proxies.ts";

/** Another address of this machine, from which a client comes to the proxy. */
const clientAddress = "127.0.0.2";
const email = "ada@example.org";

/** Tries a wrong code from `clientAddress`, as a client that claims another one. */
const tryWrongCode = (address: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const sending = request(`${address}/login`, {
      method: "PUT",
      localAddress: clientAddress,
      headers: { "content-type": "application/json", "x-forwarded-for": "203.0.113.9" },
    });
    sending.on("error", reject);
    sending.on("response", (answer) => answer.resume().on("end", () => resolve(answer.statusCode)));
    sending.end(JSON.stringify({ email, otp: "000000" }));
  });

describe("The app behind a web server with the lines of docs/self-hosting.md", () => {
  for (const [name, path] of proxyNames.flatMap((one) => [[one, ""] as const, [one, "/bauta"] as const]))
    describe(`${name} ${path && `under ${path}`}`, () => {
      let server: TestServer | undefined;
      let proxy: { readonly stop: () => Promise<void> } | undefined;
      let socket: SocketClient | undefined;
      let origin: string;
      let client: Client;

      before(async function () {
        if (!hasProxy(name)) skipWithout(this, name);
        const own = await freePort();
        origin = `http://127.0.0.1:${own}`;
        server = await startServer({ publicUrl: `${origin}${path}` });
        proxy = await startProxy(name, { own, app: server.port }, path);
        client = createClient(`${origin}${path}`);
        await client.call("POST", "/login", { body: { email } });
        const { tempToken } = (
          await client.call("PUT", "/login", {
            body: { email, otp: await server.code(email) },
          })
        ).json as { readonly tempToken: string };
        const { json } = await client.call("POST", "/signup", { body: { tempToken, tier: "free" } });
        client.token = (json as { readonly token: string }).token;
      });
      after(async () => {
        socket?.socket.terminate();
        await proxy?.stop();
        await server?.stop();
      });

      it("signs in, and finds what has a slash in its name", async () => {
        expect((await client.refresh()).status).to.equal(200);
        await client.call("POST", "/labels", { body: { name: "shoes/hats" } });
        const change = { body: { color: "teal" }, headers: { origin } };
        const { status, json } = await client.call("PATCH", "/labels/shoes%2Fhats", change);
        expect([status, json]).to.deep.equal([200, { name: "shoes/hats", color: "teal", masks: 0 }]);
      });

      it("gets changes by the socket", async () => {
        socket = await openSocket(`${origin}${path}`, client, { origin });
        await settle(socket);
      });

      it("gets 413 for a body that is too large, by the app or before it", async () => {
        const raw = `"${"x".repeat(8_000_000)}"`;
        for (let count = 0; count < 5; count += 1)
          expect((await client.call("POST", "/masks", { raw })).status).to.equal(413);
      });

      it("is counted by the address that it comes from, and not by one that it claims", async () => {
        expect(await tryWrongCode(`${origin}${path}`)).to.equal(401);
        const refused = server?.logged.find((line) => line.includes('"refused":"sign-in"'));
        expect(refused).to.contain(`"ip":"${clientAddress}"`);
      });
    });
});
