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
        .and.to.contain('<a href="/">Go to Bauta</a>');
      expect(headers.get("vary")).to.contain("accept");
    }
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
