import { expect } from "chai";
import type { ApiScope } from "../../../../core/api/apiScope.ts";
import type { ApiToken, NewApiToken } from "../../../../core/apiTokens/apiTokenEndpoints.ts";
import { dayMs } from "../../../../core/kernel/durations.ts";
import { revokeAllApiTokens } from "../../../../server/features/apiTokens/apiTokenQueries.ts";
import { createEndingTokens } from "../../../../server/features/apiTokens/endingTokens.ts";
import { setSuspended } from "../../../../server/platform/store/users.ts";
import { named } from "../../../support/domainNames.ts";
import { bystander } from "../../support/bystander.ts";
import type { Client } from "../../support/client.ts";
import { userIdOf } from "../../support/notify.ts";
import { startServer, type TestServer } from "../../support/startServer.ts";
import { until } from "../../support/until.ts";

const allScopes: readonly ApiScope[] = [
  "masks:create",
  "masks:read",
  "masks:write",
  "destinations",
  "correspondents",
  "log:read",
  "account:read",
];

describe("API tokens", () => {
  let server: TestServer;
  let owner: Client;

  beforeEach(async () => {
    server = await startServer({ clockStands: true });
    owner = await server.signIn("owner@home.example");
  });
  afterEach(() => server.stop());

  const make = (asked: Partial<NewApiToken> = {}, client = owner) =>
    client.call("POST", "/account/api-tokens", {
      body: { name: "Password manager", scopes: allScopes, domain: null, lifetimeDays: 90, ...asked },
    });
  const madeToken = async (asked: Partial<NewApiToken> = {}, client = owner): Promise<string> => {
    const { json, status } = await make(asked, client);
    expect(status).to.equal(201);
    return (json as { token: string }).token;
  };
  const list = async (): Promise<readonly ApiToken[]> =>
    ((await owner.call("GET", "/account/api-tokens")).json as { tokens: readonly ApiToken[] }).tokens;
  const call = async (
    token: string,
    method: string,
    path: string,
    { body, headers = {} }: { readonly body?: unknown; readonly headers?: Record<string, string> } = {},
  ) => {
    const response = await fetch(`${server.origin}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const json = (await response.json().catch(() => undefined)) as Record<string, unknown> | undefined;
    return { status: response.status, headers: response.headers, json };
  };
  const notices = async (): Promise<readonly string[]> =>
    (
      await server.database.db
        .selectFrom("notifications")
        .where("user_id", "!=", bystander.id)
        .select("message")
        .orderBy("id")
        .execute()
    ).map(({ message }) => message);

  it("are readable in the answer that makes them, and nowhere else", async () => {
    const token = await madeToken();
    expect(token).to.match(/^bauta_[a-z2-7]{48}$/);
    const rows = await server.database.db
      .selectFrom("api_tokens")
      .where("user_id", "!=", bystander.id)
      .selectAll()
      .execute();
    expect(JSON.stringify([rows, await list()])).not.to.contain(token.slice(6));
    await call(token, "GET", "/masks");
    expect(server.logged.join("")).not.to.contain(token.slice(6, 30));
  });

  it("make a mask without a cookie and without a CSRF token", async () => {
    const token = await madeToken({ scopes: ["masks:create"] });
    const { status, json } = await call(token, "POST", "/masks", { body: { description: "Shop" } });
    expect(status).to.equal(201);
    expect(json).to.include({ description: "Shop" });
  });

  it("are told to their owner when made, and when used from a new network", async () => {
    const token = await madeToken({ name: "Phone" });
    await call(token, "GET", "/masks");
    await call(token, "GET", "/masks");
    const told = await notices();
    const places = await server.database.db
      .selectFrom("notifications")
      .where("user_id", "!=", bystander.id)
      .select("place")
      .execute();
    expect(new Set(places.map(({ place }) => place))).to.deep.equal(new Set(["api-tokens"]));
    expect(told.filter((message) => message.includes('An API token was created for "Phone"'))).to.have.length(
      1,
    );
    expect(told.filter((message) => message.includes("used from a new network"))).to.have.length(1);
    expect((await list())[0]?.lastNetwork).to.equal("127.0.0.0/24");
    await call(token, "GET", "/masks", { headers: { "x-forwarded-for": "203.0.113.9" } });
    expect((await notices()).filter((message) => message.includes("203.0.113.0/24"))).to.have.length(1);
    const [only] = await list();
    expect(only?.lastNetwork).to.equal("203.0.113.0/24");
    expect(only?.lastUsed).to.equal(new Date(server.clock.now()).toISOString());
  });

  it("say which scope they lack", async () => {
    const token = await madeToken({ scopes: ["masks:create"] });
    const { status, json } = await call(token, "GET", "/masks");
    expect(status).to.equal(403);
    expect(json).to.include({ message: "This API token lacks the scope masks:read.", scope: "masks:read" });
  });

  it("change neither address nor keys, second factor, sessions or tokens", async () => {
    const token = await madeToken();
    for (const [method, path] of [
      ["PUT", "/account/profile"],
      ["DELETE", "/account"],
      ["POST", "/keys/setup"],
      ["DELETE", "/keys"],
      ["POST", "/account/2fa/setup"],
      ["GET", "/account/sessions"],
      ["DELETE", "/account/sessions"],
      ["GET", "/account/api-tokens"],
      ["POST", "/account/api-tokens"],
      ["POST", "/account/app-passwords"],
      ["GET", "/archive/any"],
    ] as const) {
      const { status } = await call(token, method, path, method === "GET" ? {} : { body: {} });
      expect(status, `${method} ${path}`).to.equal(403);
    }
    const { json } = await call(token, "GET", "/destinations");
    const [{ id } = { id: "" }] = (json as { destinations: readonly { id: string }[] }).destinations;
    const keyed = await call(token, "PATCH", `/destinations/${id}`, { body: { publicKey: null } });
    expect(keyed.status).to.equal(403);
  });

  it("open no socket", async () => {
    const token = await madeToken();
    const { status } = await call(token, "GET", `/ws?token=${token}`);
    expect(status).to.equal(401);
  });

  it("say that they are mistyped, and in the same words that they are unknown, over or revoked", async () => {
    const token = await madeToken({ lifetimeDays: 30 });
    const wrong = `${token.slice(0, -1)}${token.endsWith("a") ? "b" : "a"}`;
    const mistyped = await call(wrong, "GET", "/masks");
    expect(mistyped.status).to.equal(401);
    expect(mistyped.json?.["message"]).to.contain("mistyped");
    const [made] = await list();
    expect((await owner.call("DELETE", `/account/api-tokens/${made?.id}`)).status).to.equal(200);
    const revoked = await call(token, "GET", "/masks");
    expect(revoked.status).to.equal(401);
    const ending = await madeToken({ lifetimeDays: 30 });
    await server.database.db
      .updateTable("api_tokens")
      .where("user_id", "!=", bystander.id)
      .set({ expires_at: server.clock.now() })
      .execute();
    const over = await call(ending, "GET", "/masks");
    expect(over.status).to.equal(401);
    expect(over.json).to.deep.equal(revoked.json);
    expect(server.logged.join("")).not.to.contain(token.slice(6, 30));
  });

  const use = async (token: string): Promise<ReadonlySet<number>> => {
    const statuses = new Set<number>();
    for (let n = 0; n < 3; n += 1) statuses.add((await call(token, "GET", "/masks")).status);
    return statuses;
  };

  it("are refused at once when they are revoked or their user is suspended, however recently they were used", async () => {
    const revoke = async (): Promise<void> => {
      const [made] = await list();
      expect((await owner.call("DELETE", `/account/api-tokens/${made?.id}`)).status).to.equal(200);
    };
    const suspend = async (): Promise<void> => {
      const id = await userIdOf(server.database, "owner@home.example");
      await server.database.transaction(async (db) => {
        await setSuspended(db, id, true);
        await revokeAllApiTokens(db, id, server.clock.now());
      });
    };
    for (const end of [revoke, suspend]) {
      const token = await madeToken();
      expect(await use(token), end.name).to.deep.equal(new Set([200]));
      await end();
      expect(await use(token), end.name).to.deep.equal(new Set([401]));
    }
  });

  it("are refused from their end on, however recently they were used", async () => {
    const token = await madeToken({ lifetimeDays: 30 });
    server.clock.advance(30 * dayMs - 1);
    expect(await use(token)).to.deep.equal(new Set([200]));
    server.clock.advance(1);
    expect(await use(token)).to.deep.equal(new Set([401]));
  });

  it("have a new name at once", async () => {
    const token = await madeToken({ name: "Script" });
    const nameOf = async () => (await call(token, "GET", "/api/user_info")).json?.["name"];
    expect(await nameOf()).to.equal("Script");
    const [made] = await list();
    await owner.call("PATCH", `/account/api-tokens/${made?.id}`, { body: { name: "Backup" } });
    expect(await nameOf()).to.equal("Backup");
  });

  it("of one domain make masks there alone, and can do nothing else", async () => {
    const refused = await make({ domain: named("shop.example"), scopes: ["masks:create"] });
    expect(refused.status).to.equal(400);
    const first = await owner.call("POST", "/masks", { body: { description: "Shop" } });
    const own = named((first.json as { maskEmail: string }).maskEmail.split("@")[1] ?? "");
    expect((await make({ domain: own, scopes: ["masks:create", "masks:read"] })).status).to.equal(400);
    const token = await madeToken({ domain: own, scopes: ["masks:create"] });
    const elsewhere = await call(token, "POST", "/masks", {
      body: { description: "Shop", domain: "shop.example" },
    });
    expect(elsewhere.status).to.equal(403);
    const made = await call(token, "POST", "/masks", { body: { description: "Shop" } });
    expect(made.status).to.equal(201);
    expect(made.json?.["maskEmail"]).to.match(new RegExp(`@${own}$`));
  });

  it("have a rate of their own, which the answer tells", async () => {
    const token = await madeToken();
    const headers = { "x-forwarded-for": "203.0.113.9" };
    const first = await call(token, "GET", "/api-token", { headers });
    expect(first.headers.get("ratelimit-policy")).to.equal('"token";q=300;w=60');
    expect(first.headers.get("ratelimit")).to.match(/^"token";r=299;t=1$/);
    for (let n = 1; n < 300; n += 1) await call(token, "GET", "/api-token", { headers });
    const refused = await call(token, "GET", "/api-token", { headers });
    expect(refused.status).to.equal(429);
    expect(refused.headers.get("retry-after")).to.equal("1");
    expect(refused.headers.get("access-control-allow-origin")).to.equal("*");
    expect((await call(await madeToken(), "GET", "/api-token", { headers })).status).to.equal(200);
  });

  it("tell a program about themselves", async () => {
    const token = await madeToken({ name: "Script", scopes: ["log:read"] });
    const { status, json } = await call(token, "GET", "/api-token");
    expect(status).to.equal(200);
    expect(json).to.deep.include({ name: "Script", scopes: ["log:read"], domain: null });
    expect((await owner.call("GET", "/api-token")).status).to.equal(404);
  });

  it("answer pages of every origin, also with a refusal, and never with credentials", async () => {
    const token = await madeToken({ scopes: ["masks:create"] });
    const headers = { origin: "https://elsewhere.example", "sec-fetch-site": "cross-site" };
    const made = await call(token, "POST", "/masks", { body: { description: "Shop" }, headers });
    const refused = await call(token, "GET", "/masks", { headers });
    const unknown = await call("bauta_unknown", "GET", "/masks", { headers });
    expect([made.status, refused.status, unknown.status]).to.deep.equal([201, 403, 401]);
    for (const answer of [made, refused, unknown]) {
      expect(answer.headers.get("access-control-allow-origin")).to.equal("*");
      expect(answer.headers.get("access-control-allow-credentials")).to.equal(null);
    }
    const preflight = (path: string, asked: string) =>
      fetch(`${server.origin}${path}`, {
        method: "OPTIONS",
        headers: {
          origin: "https://elsewhere.example",
          "access-control-request-method": "POST",
          "access-control-request-headers": asked,
        },
      });
    const allowed = await preflight("/masks", "authorization,content-type");
    // As every client on core sends it with what it changes.
    expect(allowed.headers.get("access-control-allow-headers")).to.contain("x-client-id");
    expect(allowed.status).to.equal(204);
    expect(allowed.headers.get("access-control-allow-origin")).to.equal("*");
    expect((await preflight("/masks", "content-type")).status).to.equal(405);
    expect((await preflight("/account/sessions", "authorization")).status).to.equal(405);
  });

  it("are renamed and revoked by their owner alone, need a name and a scope, and are at most 50", async () => {
    await madeToken();
    const [made] = await list();
    const path = `/account/api-tokens/${made?.id}`;
    const stranger = await server.signIn("stranger@elsewhere.example");
    expect((await stranger.call("PATCH", path, { body: { name: "Mine" } })).status).to.equal(404);
    expect((await stranger.call("DELETE", path)).status).to.equal(404);
    expect((await owner.call("PATCH", path, { body: { name: "Laptop" } })).status).to.equal(200);
    expect((await list())[0]?.name).to.equal("Laptop");
    for (const asked of [{ name: " " }, { name: "x".repeat(61) }, { scopes: [] }, { lifetimeDays: 31 }])
      expect((await make(asked as never)).status).to.equal(400);
    for (let n = 1; n < 50; n += 1) await madeToken({ name: `${n}` });
    expect((await make()).status).to.equal(409);
  });

  it("are told to end a week before, once", async () => {
    const told = async (name: string): Promise<number> =>
      (await notices()).filter((message) => message.includes(`The API token "${name}" ends on`)).length;
    const tellUntil = async (name: string): Promise<void> => {
      const stop = createEndingTokens(server.context).start();
      await until(`the end of ${name} is told`, async () => (await told(name)) > 0);
      stop();
    };
    await madeToken({ name: "Later", lifetimeDays: 90 });
    await madeToken({ name: "Script", lifetimeDays: 30 });
    server.clock.advance(23 * dayMs);
    await tellUntil("Script");
    await server.database.db
      .updateTable("api_tokens")
      .set({ end_noticed: 0 })
      .where("name", "=", "Later")
      .execute();
    server.clock.advance(61 * dayMs);
    await tellUntil("Later");
    expect([await told("Script"), await told("Later")]).to.deep.equal([1, 1]);
  });

  it("repeat a write with the same X-Request-ID without doing it twice", async () => {
    const token = await madeToken();
    const headers = { "x-request-id": "one-and-the-same" };
    const [one, two] = [
      await call(token, "POST", "/masks", { body: { description: "Shop" }, headers }),
      await call(token, "POST", "/masks", { body: { description: "Shop" }, headers }),
    ];
    expect(two.json).to.deep.equal(one.json);
  });

  it("end with all other sessions where their owner wants that, and otherwise not", async () => {
    const token = await madeToken();
    await owner.call("DELETE", "/account/sessions");
    expect((await call(token, "GET", "/masks")).status).to.equal(200);
    await owner.call("DELETE", "/account/sessions?apiTokens=true");
    expect((await call(token, "GET", "/masks")).status).to.equal(401);
    expect((await owner.call("GET", "/masks")).status).to.equal(200);
  });

  it("end with the account", async () => {
    const token = await madeToken();
    expect((await call(token, "GET", "/masks")).status).to.equal(200);
    await owner.call("DELETE", "/account", { body: { email: "owner@home.example" } });
    expect((await call(token, "GET", "/masks")).status).to.equal(401);
  });
});
