import { expect } from "chai";
import { startServer, type TestServer } from "../../support/startServer.ts";

const browser = { headers: { accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" } };

describe("The page of the app", () => {
  let server: TestServer;

  before(async () => {
    server = await startServer();
  });
  after(() => server.stop());

  it("opens at / and /login, and at paths that an API endpoint shares (D4)", async () => {
    for (const path of ["/", "/login", "/masks", "/account", "/masks/some-mask"]) {
      const { status, headers, text } = await server.client().call("GET", path, browser);
      expect(status, path).to.equal(200);
      expect(headers.get("content-type"), path).to.equal("text/html; charset=utf-8");
      expect(headers.get("cache-control"), path).to.equal("no-store");
      expect(text, path).to.contain('<div id="page">');
    }
  });

  it("is not returned to API requests, nor is an API answer returned to page loads", async () => {
    for (const accept of ["application/json", "*/*", "text/html;q=0", "application/json, text/plain, */*"]) {
      const { status, json } = await server.client().call("GET", "/masks", { headers: { accept } });
      expect(status, accept).to.equal(401);
      expect(json).to.deep.equal({ message: "Invalid or expired token" });
    }
    const json = await server.client().call("GET", "/config.json", browser);
    expect(json.json).to.deep.include({ brand: "Bauta", maskDomain: "masks.test" });
  });

  it("has the nonce of its content security policy, a new one each time", async () => {
    const nonces = new Set<string>();
    for (let visit = 0; visit < 3; visit++) {
      const { headers, text } = await server.client().call("GET", "/", browser);
      const nonce = /<meta property="csp-nonce" content="([^"]+)">/.exec(text)?.[1] ?? "";
      expect(headers.get("content-security-policy")).to.contain(`'nonce-${nonce}'`);
      nonces.add(nonce);
    }
    expect(nonces.size).to.equal(3);
  });

  it("brings the configuration of the client, which then needs no request", async () => {
    const { json } = await server.client().call("GET", "/config.json");
    const { text } = await server.client().call("GET", "/", browser);
    const content = /<meta name="configuration" content="([^"]+)">/.exec(text)?.[1] ?? "";
    expect(JSON.parse(content.replaceAll("&quot;", '"'))).to.deep.equal(json);
  });

  it("caches files with hashed names forever, compressed if the browser supports it", async () => {
    const plain = await server.client().call("GET", "/assets/main-ABCDEF12.js", {
      headers: { "accept-encoding": "identity" },
    });
    expect(plain.text).to.equal("export {};");
    expect(plain.headers.get("content-type")).to.contain("javascript");
    expect(plain.headers.get("cache-control")).to.equal("public, max-age=31536000, immutable");
    const head = await server.client().call("HEAD", "/assets/main-ABCDEF12.js", {
      headers: { "accept-encoding": "br, gzip" },
    });
    expect(head.headers.get("content-encoding")).to.equal("br");
    expect(head.headers.get("vary")).to.match(/accept-encoding/i);
  });

  it("revalidates files with unhashed names", async () => {
    const reload = await server.client().call("GET", "/assets/dev-reload.js");
    expect(reload.headers.get("cache-control")).to.equal("no-cache");
    const icon = await server.client().call("GET", "/icon.svg");
    expect(icon.status).to.equal(200);
    expect(icon.headers.get("content-type")).to.contain("image/svg+xml");
    expect(icon.headers.get("cache-control")).to.equal("no-cache");
  });

  it("has a web app manifest with the server's brand", async () => {
    const { status, headers, json } = await server.client().call("GET", "/manifest.webmanifest");
    expect(status).to.equal(200);
    expect(headers.get("content-type")).to.equal("application/manifest+json; charset=utf-8");
    expect(headers.get("cache-control")).to.equal("no-cache");
    expect(json).to.include({ name: "Bauta", short_name: "Bauta", start_url: "/" });
  });

  it("has its service worker at the root, which is never cached", async () => {
    const { status, headers } = await server.client().call("GET", "/serviceWorker.js");
    expect(status).to.equal(200);
    expect(headers.get("content-type")).to.contain("javascript");
    expect(headers.get("cache-control")).to.equal("no-cache");
  });

  it("describes the API to programs of any origin", async () => {
    const { status, headers, text } = await server.client().call("GET", "/openapi.json");
    expect([status, headers.get("access-control-allow-origin")]).to.deep.equal([200, "*"]);
    expect(JSON.parse(text)).to.deep.equal({ openapi: "3.1.0", servers: [{ url: "http://bauta.test" }] });
    const known = { headers: { "if-none-match": headers.get("etag") ?? "" } };
    expect((await server.client().call("GET", "/openapi.json", known)).status).to.equal(304);
  });

  it("brings the licenses of what it contains", async () => {
    const { status, headers, text } = await server.client().call("GET", "/licenses", browser);
    expect([status, headers.get("content-type")]).to.deep.equal([200, "text/plain; charset=utf-8"]);
    expect(text).to.equal("Bauta contains nothing else.\n");
  });
});
