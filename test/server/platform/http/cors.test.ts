import { expect } from "chai";
import { copyClient, sendRaw } from "../../support/client.ts";
import { openSocket } from "../../support/socketClient.ts";
import { startServer, type TestServer } from "../../support/startServer.ts";

const friend = "https://app.example.org";
const others = [
  "https://evil.example",
  "https://app.example.org.evil.example",
  "http://app.example.org",
  "null",
];

describe("Pages of origins that the operator has allowed (CORS)", () => {
  let server: TestServer;

  before(async () => {
    server = await startServer({ publicUrl: "https://mail.example.org", corsOrigins: [friend] });
  });
  after(() => server.stop());

  const preflight = (origin: string, path = "/masks") =>
    fetch(`${server.origin}${path}`, {
      method: "OPTIONS",
      headers: {
        origin,
        "access-control-request-method": "POST",
        "access-control-request-headers": "authorization,content-type,x-csrf-token,x-request-id",
      },
    });

  it("get a preflight answer that is valid for two hours", async () => {
    const { status, headers } = await preflight(friend);
    expect(status).to.equal(204);
    expect(headers.get("access-control-allow-origin")).to.equal(friend);
    expect(headers.get("access-control-allow-credentials")).to.equal("true");
    expect(headers.get("access-control-allow-methods")).to.equal("GET, POST, PUT, PATCH, DELETE");
    for (const name of [
      "authorization",
      "content-type",
      "x-csrf-token",
      "x-request-id",
      "idempotency-key",
      "if-match",
    ])
      expect(headers.get("access-control-allow-headers")).to.contain(name);
    expect(headers.get("access-control-max-age")).to.equal("7200");
    expect(headers.get("vary")).to.match(/\borigin\b/);
  });

  it("may send requests and read the answers, refusals and the new CSRF token included", async () => {
    const user = await server.signIn("owner@example.org");
    const page = copyClient(server.origin, user);
    const headers = { origin: friend, "sec-fetch-site": "same-site" };
    const created = await page.call("POST", "/masks", { body: { description: "x" }, headers });
    expect(created.status).to.equal(201);
    const refused = await page.call("POST", "/masks", {
      headers: { ...headers, "x-csrf-token": "" },
      body: {},
    });
    expect(refused.status).to.equal(403);
    for (const answer of [created, refused]) {
      expect(answer.headers.get("access-control-allow-origin")).to.equal(friend);
      expect(answer.headers.get("access-control-expose-headers"))
        .to.contain("x-csrf-token")
        .and.contain("retry-after");
    }
    const socket = await openSocket(server.origin, user, { headers: { origin: friend } });
    socket.socket.terminate();
  });

  it('are matched exactly: no other origin is allowed, and never "*"', async () => {
    for (const origin of others) {
      const response = await preflight(origin, "/account/sessions");
      const called = await server.client().call("POST", "/logout", { headers: { origin } });
      const read = await server.client().call("GET", "/config.json", { headers: { origin } });
      expect([response.status, called.status, read.status], origin).to.deep.equal([405, 403, 200]);
      for (const { headers } of [response, called, read])
        expect(headers.get("access-control-allow-origin"), origin).to.equal(null);
    }
  });

  it("cause Vary: Origin on answers, and Vary: Accept on pages as well", async () => {
    const page = await server.client().call("GET", "/masks", { headers: { accept: "text/html" } });
    expect(page.headers.get("vary")).to.equal("accept, origin");
  });

  it("do not exist by default: then answers have no CORS headers", async () => {
    const plain = await startServer({ publicUrl: "https://mail.example.org" });
    const response = await sendRaw(plain.origin, {
      method: "OPTIONS",
      path: "/account/sessions",
      headers: { origin: friend, "access-control-request-method": "GET" },
    });
    expect(response.status).to.equal(405);
    const { headers } = await plain.client().call("GET", "/config.json", { headers: { origin: friend } });
    expect([headers.get("access-control-allow-origin"), headers.get("vary")]).to.deep.equal([null, null]);
    await plain.stop();
  });
});
