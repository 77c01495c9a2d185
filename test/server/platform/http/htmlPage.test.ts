import { readFileSync } from "node:fs";
import { expect } from "chai";
import { startServer, type TestServer } from "../../support/startServer.ts";

const browsing = { headers: { accept: "text/html,application/xhtml+xml,*/*;q=0.8" } };

describe("A browser that requests something unavailable", () => {
  let server: TestServer;

  before(async () => {
    server = await startServer();
  });
  after(() => server.stop());

  it("gets an error page with a link to the start page", async () => {
    for (const path of ["/nothing/here", "/outbox"]) {
      const { status, text, headers } = await server.client().call("GET", path, browsing);
      expect(status, path).to.equal(404);
      expect(headers.get("content-type")).to.equal("text/html; charset=utf-8");
      expect(text)
        .to.contain("<h1>There is nothing here.</h1>")
        .and.to.contain('<a href="./">Go to Bauta</a>');
      expect(headers.get("vary")).to.contain("accept");
    }
  });

  it("sees it in the colors and the typeface of the app", async () => {
    const { text, headers } = await server.client().call("GET", "/nothing/here", browsing);
    const tokens = readFileSync(new URL("../../../../web/styles/tokens.css", import.meta.url), "utf8");
    const appNames: Readonly<Record<string, string>> = {
      sunken: "surface-sunken",
      muted: "text-muted",
      cloak: "logo-cloak",
      shade: "logo-shade",
    };
    const colors = [...text.matchAll(/--(\S+): (light-dark\([^)]*\));/g)];
    expect(colors).to.have.length.above(8);
    for (const [, name = "", color] of colors)
      expect(tokens).to.contain(`--${appNames[name] ?? name}: ${color};`);
    const typeface = /url\("([^"]*)"\)/.exec(text)?.[1] ?? "";
    const file = await server.client().call("GET", typeface.slice(1));
    expect([file.status, file.headers.get("content-type")]).to.deep.equal([200, "font/woff2"]);
    expect(headers.get("content-security-policy")).to.contain("font-src 'self'");
  });

  it("gets an error page for every refusal, with its status", async () => {
    const { status, text } = await server.client().call("POST", "/login", {
      headers: { ...browsing.headers, "content-type": "text/plain" },
      raw: "hello",
    });
    expect(status).to.equal(415);
    expect(text).to.contain("<h1>Send JSON, with the header content-type: application/json.</h1>");
  });

  it("is distinguished from a program, which gets JSON", async () => {
    for (const accept of ["application/json", "*/*"]) {
      const { status, text } = await server.client().call("GET", "/nothing/here", { headers: { accept } });
      expect([status, text]).to.deep.equal([404, '{"message":"There is nothing here."}']);
    }
  });
});
