import { expect } from "chai";
import type { Client } from "../../support/client.ts";
import { startServer, type TestServer } from "../../support/startServer.ts";
import { makeToken } from "./tokens.ts";

describe("A client of SimpleLogin", () => {
  let server: TestServer;
  let owner: Client;

  before(async () => {
    server = await startServer({ corsOrigins: ["https://app.example.org"] });
    owner = await server.signIn("owner@home.example");
  });
  after(() => server.stop());

  const call = async (method: string, path: string, headers: Record<string, string> = {}, body?: string) => {
    const response = await fetch(`${server.origin}${path}`, {
      method,
      headers,
      redirect: "manual",
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.text();
    const json = text === "" ? undefined : (JSON.parse(text) as Record<string, unknown>);
    return { status: response.status, headers: response.headers, json };
  };

  it("checks its key in either header, with slashes as its user has typed them", async () => {
    const token = await makeToken(owner);
    for (const path of ["/api/user_info", "//api/user_info", "///api//user_info/", "/%61pi/user_info"])
      for (const headers of [{ authentication: token }, { authorization: `Bearer ${token}` }]) {
        const { status, json } = await call("GET", path, headers);
        expect(status, path).to.equal(200);
        expect(json).to.include({ name: "Password manager", email: "owner@home.example" });
      }
  });

  it("is not told the owner's address without the right to read it", async () => {
    const token = await makeToken(owner, { scopes: ["masks:create"] });
    const { status, json } = await call("GET", "/api/user_info", { authentication: token });
    expect(status).to.equal(200);
    expect(json).to.include({ name: "Password manager", email: "" });
  });

  it("reads JSON on every status, from a page of any origin", async () => {
    const token = await makeToken(owner);
    const html = { accept: "text/html", "sec-fetch-mode": "navigate" };
    for (const origin of ["https://elsewhere.example", "https://app.example.org"])
      for (const [method, path, headers, status] of [
        ["GET", "/api/user_info", {}, 401],
        ["GET", "/api/user_info", { authentication: "wrong" }, 401],
        ["GET", "/api/user_info", { authorization: `Bearer ${token}x` }, 401],
        ["GET", "/api/nothing", { authentication: token }, 404],
        ["GET", "/api/", {}, 404],
        ["GET", "/api", {}, 404],
        ["GET", "/api/v9/%E0%A4%A", {}, 400],
        ["DELETE", "/api/user_info", { authentication: token }, 405],
        ["POST", "/api/api_key", {}, 401],
        ["GET", "/api/logout", {}, 200],
      ] as const) {
        const answer = await call(method, path, { ...headers, ...html, origin });
        expect(answer.status, `${method} ${path}`).to.equal(status);
        expect(answer.headers.get("content-type")).to.contain("application/json");
        expect(answer.headers.get("access-control-allow-origin")).to.equal("*");
        expect(answer.headers.has("access-control-allow-credentials")).to.equal(false);
        if (status !== 200) expect(answer.json).to.have.property("error").that.is.a("string").and.not.empty;
      }
    const wrong = await call("GET", "/api/user_info", { authentication: "wrong" });
    expect(wrong.json?.["error"]).to.equal("Wrong api key");
  });

  it("is told in both ways that it needs an API token in place of a password", async () => {
    for (const path of ["/api/auth/login", "//api/auth/mfa"]) {
      const { status, json } = await call("POST", path, {}, '{"email":"a@b.c","password":"x"}');
      expect(status).to.equal(403);
      expect(json).to.deep.equal({ error: "Use an API key", message: "Use an API key" });
    }
  });

  it("may name any content type, or none, with a body or without", async () => {
    for (const type of ["text/json", "application/json", "text/plain", "nothing that one can read;;", ""])
      for (const body of ["{}", "", undefined]) {
        const headers = type === "" ? {} : { "content-type": type };
        const { status } = await call("POST", "/api/auth/login", headers, body);
        expect(status, `${type} ${body}`).to.equal(403);
      }
    expect((await call("POST", "/api/nothing", { "content-type": ";" }, "x")).status).to.equal(404);
  });

  it("may send all its headers from a page of another origin", async () => {
    for (const origin of ["https://elsewhere.example", "https://app.example.org"]) {
      const { status, headers } = await call("OPTIONS", "//api/alias/random/new", {
        origin,
        "access-control-request-method": "POST",
        "access-control-request-headers": "authentication,content-type",
      });
      expect(status).to.equal(204);
      expect(headers.get("access-control-allow-origin")).to.equal("*");
      expect(headers.get("access-control-allow-headers")).to.contain("authentication");
      expect(headers.get("access-control-allow-methods")).to.contain("PATCH");
    }
  });

  it("leads from the pages that its extension opens to the places of the page that show the same", async () => {
    for (const [path, place] of [
      ["/dashboard/api_key", "/#settings/programs/api-tokens"],
      ["/auth/register", "/login"],
      ["/auth/register?next=%2Fonboarding", "/login"],
      ["/dashboard/", "/#masks"],
      ["/dashboard", "/#masks"],
      ["/dashboard/pricing", "/#account"],
      ["/onboarding", "/#settings/programs/api-tokens"],
    ] as const) {
      const { status, headers } = await fetch(`${server.origin}${path}`, {
        headers: { accept: "text/html", "sec-fetch-mode": "navigate" },
        redirect: "manual",
      });
      expect([status, headers.get("location")], path).to.deep.equal([302, place]);
    }
    expect((await fetch(`${server.origin}/dashboard/other`, { redirect: "manual" })).status).to.equal(404);
  });

  it("finds one mailbox without its address where its key may only make masks, and so can make them", async () => {
    const maker = await server.signIn("maker@home.example");
    const token = await makeToken(maker, { scopes: ["masks:create"] });
    for (const path of ["/api/mailboxes", "/api/v2/mailboxes"]) {
      const { status, json } = await call("GET", path, { authentication: token });
      expect(status).to.equal(200);
      const { mailboxes } = json as { mailboxes: readonly Record<string, unknown>[] };
      const [mailbox, ...others] = mailboxes;
      expect(others).to.deep.equal([]);
      expect(mailbox).to.include({ email: "", verified: true, default: true, nb_alias: 0 });
      expect(mailbox?.["id"]).to.be.a("number");
    }
    const made = await call("POST", "/api/alias/random/new", { authentication: token }, "{}");
    expect(made.status).to.equal(201);
    expect(JSON.stringify(made.json)).not.to.include("maker@home.example");
  });

  it("exports the masks and the domains of its user", async () => {
    const exporter = await server.signIn("exporter@home.example");
    const token = await makeToken(exporter);
    const narrow = await makeToken(exporter, { scopes: ["masks:read"] });
    const csv = async (): Promise<string> => {
      const answer = await fetch(`${server.origin}/api/export/aliases`, {
        headers: { authentication: narrow },
      });
      expect(answer.headers.get("content-type")).to.equal("text/csv; charset=utf-8");
      return answer.text();
    };
    expect(await csv()).to.equal("alias,note,enabled,mailboxes\r\n");
    const none = await call("GET", "/api/export/data", { authentication: narrow });
    expect(none.json).to.deep.include({ email: "", aliases: [], apps: [], custom_domains: [] });
    const { json } = await call(
      "POST",
      "/api/alias/random/new",
      { authentication: token },
      '{"note":"Shop"}',
    );
    expect(await csv()).to.equal(
      `alias,note,enabled,mailboxes\r\n${json?.["email"]},Shop,True,exporter@home.example\r\n`,
    );
    const data = await call("GET", "/api/export/data", { authentication: token });
    expect(data.json).to.deep.include({
      email: "exporter@home.example",
      aliases: [{ email: json?.["email"], enabled: true }],
    });
  });
});
