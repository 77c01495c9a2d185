import { expect } from "chai";
import { prefersProblem } from "../../../../server/platform/http/problemDetails.ts";
import type { Client } from "../../support/client.ts";
import { startServer, type TestServer } from "../../support/startServer.ts";

describe("An error for a program that reads problem details (RFC 9457)", () => {
  let server: TestServer;
  let program: Client;

  before(async () => {
    server = await startServer();
    program = server.client();
  });
  after(() => server.stop());

  const accept = "application/problem+json, application/json;q=0.9";

  it("has type, title, status and detail, with the kind and the fields as extensions", async () => {
    const answer = await program.call("PUT", "/login", {
      body: { email: "nobody", otp: "12" },
      headers: { accept },
    });
    expect(answer.status).to.equal(400);
    expect(answer.headers.get("content-type")).to.match(/^application\/problem\+json/);
    expect(answer.headers.get("vary")).to.contain("accept");
    expect(answer.json).to.deep.equal({
      type: "about:blank",
      title: "Bad Request",
      status: 400,
      detail: "Please enter a valid email address",
      code: "invalid",
      errors: [
        { field: "email", message: "Please enter a valid email address" },
        { field: "otp", message: "Verification code must be 6 digits" },
      ],
    });
  });

  it("has that form for an unknown address, a wrong token and an unreadable body too", async () => {
    const unknown = await program.call("GET", "/nowhere", { headers: { accept } });
    expect(unknown.json).to.deep.equal({
      type: "about:blank",
      title: "Not Found",
      status: 404,
      detail: "There is nothing here.",
    });
    const mistyped = await program.call("GET", "/masks", {
      headers: { accept, authorization: "Bearer bauta_wrong" },
    });
    expect(mistyped.json).to.deep.include({ title: "Unauthorized", status: 401, code: "unauthenticated" });
    const unreadable = await program.call("POST", "/login", {
      raw: "{",
      headers: { accept, "content-type": "application/json" },
    });
    expect(unreadable.json).to.deep.include({ title: "Bad Request", status: 400 });
    expect(unreadable.headers.get("content-type")).to.match(/^application\/problem\+json/);
  });

  it("keeps the plain form for everybody else", async () => {
    for (const headers of [
      {},
      { accept: "*/*" },
      { accept: "application/json" },
      { accept: "application/*" },
    ]) {
      const { json, headers: got } = await program.call("GET", "/nowhere", { headers });
      expect(json).to.deep.equal({ message: "There is nothing here." });
      expect(got.get("content-type")).to.equal("application/json; charset=utf-8");
    }
  });

  it("is asked for by name, and at least as much as plain JSON", () => {
    const cases: readonly (readonly [string | undefined, boolean])[] = [
      [undefined, false],
      ["", false],
      ["application/problem+json", true],
      ["Application/Problem+JSON", true],
      ["application/json, application/problem+json", true],
      ["application/json, application/problem+json;q=0.5", false],
      ["application/json;q=0.4, application/problem+json; q=0.5", true],
      ["application/problem+json;q=0", false],
      ["application/problem+json;q=x", false],
      ["application/problem+xml, */*", false],
    ];
    for (const [value, expected] of cases)
      expect(prefersProblem({ headers: value === undefined ? {} : { accept: value } }), value).to.equal(
        expected,
      );
  });
});
