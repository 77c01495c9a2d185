import { expect } from "chai";
import { sendRaw } from "../../support/client.ts";
import { startServer, type TestServer } from "../../support/startServer.ts";

describe("A page of another site", () => {
  let server: TestServer;

  before(async () => {
    server = await startServer({ publicUrl: "https://mail.example.org" });
  });
  after(() => server.stop());

  const post = (headers: Readonly<Record<string, string>>) =>
    server.client().call("POST", "/logout", { headers });

  it("cannot change anything with a visitor's session", async () => {
    for (const headers of [
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
      { origin: "https://evil.example" },
      { origin: "null" },
      { origin: "https://mail.example.org.evil.example" },
      { origin: "https://mail.example.org:8443" },
    ] as readonly Readonly<Record<string, string>>[]) {
      const { status, json } = await post(headers);
      expect(status, JSON.stringify(headers)).to.equal(403);
      expect((json as { message: string }).message).to.contain("CSRF");
    }
  });

  it("is distinguished from the app's own pages and from programs other than browsers", async () => {
    for (const headers of [
      {},
      { "sec-fetch-site": "same-origin", origin: "null" },
      { "sec-fetch-site": "none" },
      { origin: "https://mail.example.org" },
      { origin: server.origin },
    ] as readonly Readonly<Record<string, string>>[])
      expect((await post(headers)).status, JSON.stringify(headers)).to.equal(200);
  });

  it("is recognized by the host name that the proxy forwards", async () => {
    const through = { "x-forwarded-host": "other.example", "x-forwarded-for": "203.0.113.9" };
    const own = await sendRaw(server.origin, {
      method: "POST",
      path: "/logout",
      headers: { ...through, origin: "https://other.example" },
    });
    expect(own.status).to.equal(200);
  });

  it("gets no CORS header that would allow it to read answers", async () => {
    const { headers } = await server
      .client()
      .call("GET", "/config.json", { headers: { origin: "https://evil.example" } });
    expect(headers.get("access-control-allow-origin")).to.equal(null);
  });
});
