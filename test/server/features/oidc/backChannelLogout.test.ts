import { expect } from "chai";
import { minuteMs } from "../../../../core/kernel/durations.ts";
import { bystander } from "../../support/bystander.ts";
import { type Client, copyClient } from "../../support/client.ts";
import {
  type HostileProvider,
  newKey,
  startHostileProvider,
  unsigned,
} from "../../support/hostileProvider.ts";
import { oidcConfigOf, openTicket } from "../../support/signOn.ts";
import { startServer, type TestServer } from "../../support/startServer.ts";
import { everyStore, requireStore } from "../../support/stores.ts";
import { until } from "../../support/until.ts";

type Claims = Readonly<Record<string, unknown>>;

const event = "http://schemas.openid.net/event/backchannel-logout";
const otherKey = newKey("first");
const without = (claims: Claims, ...names: readonly string[]): Claims =>
  Object.fromEntries(Object.entries(claims).filter(([key]) => !names.includes(key)));

interface Case {
  readonly name: string;
  readonly claims?: (claims: Claims) => Claims;
  readonly sign?: (claims: Claims, hostile: HostileProvider) => string | Promise<string>;
}

const cases: readonly Case[] = [
  { name: "a nonce, like an ID token", claims: (claims) => ({ ...claims, nonce: "n" }) },
  { name: "no event", claims: (claims) => without(claims, "events") },
  {
    name: "another event",
    claims: (claims) => ({ ...claims, events: { "http://other.example/event": {} } }),
  },
  { name: "an event that is no object", claims: (claims) => ({ ...claims, events: { [event]: "yes" } }) },
  { name: "neither subject nor session", claims: (claims) => without(claims, "sub", "sid") },
  { name: "a subject that is no text", claims: (claims) => ({ ...claims, sub: 1, sid: "session" }) },
  { name: "no id", claims: (claims) => without(claims, "jti") },
  { name: "no expiry", claims: (claims) => without(claims, "exp") },
  { name: "no time of issue", claims: (claims) => without(claims, "iat") },
  { name: "an end that has passed", claims: (claims) => ({ ...claims, exp: Number(claims["iat"]) - 90 }) },
  {
    name: "a time of issue in the future",
    claims: (claims) => ({ ...claims, iat: Number(claims["iat"]) + 120 }),
  },
  { name: "another issuer", claims: (claims) => ({ ...claims, iss: "https://other.example" }) },
  { name: "another audience", claims: (claims) => ({ ...claims, aud: "somebody" }) },
  { name: "another key", sign: (claims, hostile) => hostile.sign(claims, { typ: "logout+jwt" }, otherKey) },
  { name: "no signature", sign: unsigned },
  { name: "another type", sign: (claims, hostile) => hostile.sign(claims, { typ: "at+jwt" }) },
  { name: "no form of a token", sign: () => "nonsense" },
  { name: "nothing in it", sign: () => "" },
];

for (const store of everyStore)
  describe(`The provider's logout over the back channel, on ${store.name}`, () => {
    let hostile: HostileProvider;
    let server: TestServer;
    let browser: Client;

    before(requireStore(store));
    beforeEach(async () => {
      hostile = await startHostileProvider();
      server = await startServer({ store, oidc: oidcConfigOf(hostile) });
      browser = await signIn();
    });
    afterEach(async () => {
      await server.stop();
      await hostile.stop();
    });

    /** Comes from the provider, and exchanges the ticket. */
    const arrive = async (visitor: Client, sid = "session") => {
      const begun = await visitor.call("GET", "/login/oidc");
      const { searchParams } = new URL(begun.headers.get("location") ?? "");
      hostile.nonce = searchParams.get("nonce") ?? "";
      hostile.idToken = () => hostile.sign({ ...hostile.claims(server.clock.now()), sid });
      const query = new URLSearchParams({
        code: "c",
        state: searchParams.get("state") ?? "",
        iss: hostile.issuer,
      });
      const back = await visitor.call("GET", `/login/oidc/callback?${query}`);
      return openTicket(visitor, back.headers.get("location") ?? "");
    };
    const signIn = async (sid = "session"): Promise<Client> => {
      const visitor = server.client();
      const { json } = await arrive(visitor, sid);
      const { tempToken } = json as { tempToken?: string };
      if (tempToken === undefined) return visitor;
      const made = await visitor.call("POST", "/signup", { body: { tempToken, tier: "free" } });
      visitor.token = (made.json as { token: string }).token;
      return visitor;
    };
    const isSignedIn = async (client: Client): Promise<boolean> =>
      (await client.call("GET", "/account")).status === 200;
    const logoutClaims = (more: Claims = {}): Claims => {
      const { iss, sub, aud, iat, exp } = hostile.claims(server.clock.now());
      return { iss, sub, aud, iat, exp, jti: crypto.randomUUID(), events: { [event]: {} }, ...more };
    };
    const send = (token: string) =>
      server.client().call("POST", "/login/oidc/logout", {
        raw: new URLSearchParams({ logout_token: token }).toString(),
        headers: { "content-type": "application/x-www-form-urlencoded" },
      });
    const logOut = async (claims: Claims) => send(await hostile.sign(claims, { typ: "logout+jwt" }));

    it("ends all sessions of a subject", async () => {
      const other = await signIn("another session");
      const answer = await logOut(logoutClaims());
      expect(answer.status).to.equal(200);
      expect(answer.headers.get("cache-control")).to.equal("no-store");
      for (const client of [browser, other]) expect(await isSignedIn(client)).to.equal(false);
    });

    it("ends one session of the provider, with or without its subject", async () => {
      const other = await signIn("another session");
      await logOut(logoutClaims({ sid: "session" }));
      expect(await isSignedIn(browser)).to.equal(false);
      expect(await isSignedIn(other)).to.equal(true);
      await logOut(without(logoutClaims({ sid: "another session" }), "sub"));
      expect(await isSignedIn(other)).to.equal(false);
    });

    it("ends sessions in all processes, and takes a token once in all of them", async () => {
      const { secrets } = server.context;
      const shared = { ...store, open: async () => ({ ...server.database, close: async () => {} }) };
      const other = await startServer({ store: shared, secrets, oidc: oidcConfigOf(hostile) });
      const here = copyClient(other.origin, browser);
      expect(await isSignedIn(here)).to.equal(true);
      const token = await hostile.sign(logoutClaims(), { typ: "logout+jwt" });
      expect((await send(token)).status).to.equal(200);
      await until("the other process knows it too", async () => !(await isSignedIn(here)));
      const again = await other.client().call("POST", "/login/oidc/logout", {
        raw: new URLSearchParams({ logout_token: token }).toString(),
        headers: { "content-type": "application/x-www-form-urlencoded" },
      });
      expect(again.status).to.equal(400);
      await other.stop();
    });

    it("takes a token once, until it expires", async () => {
      const token = await hostile.sign(logoutClaims(), { typ: "logout+jwt" });
      expect((await send(token)).status).to.equal(200);
      const again = await signIn();
      expect((await send(token)).status).to.equal(400);
      expect(await isSignedIn(again)).to.equal(true);
      server.clock.advance(10 * minuteMs);
      expect((await send(token)).status).to.equal(400);
    });

    it("takes no ticket any more of a session that it has ended", async () => {
      const visitor = server.client();
      const begun = await visitor.call("GET", "/login/oidc");
      const { searchParams } = new URL(begun.headers.get("location") ?? "");
      hostile.nonce = searchParams.get("nonce") ?? "";
      const query = new URLSearchParams({
        code: "c",
        state: searchParams.get("state") ?? "",
        iss: hostile.issuer,
      });
      const back = await visitor.call("GET", `/login/oidc/callback?${query}`);
      await logOut(logoutClaims({ sid: "session" }));
      expect((await openTicket(visitor, back.headers.get("location") ?? "")).status).to.equal(401);
    });

    it("ends a sign-in that waits for its code or second factor, and no later one", async () => {
      await server.database.db.deleteFrom("identities").where("user_id", "!=", bystander.id).execute();
      for (const ended of [{}, { sid: "session" }]) {
        const visitor = server.client();
        await arrive(visitor);
        await logOut(logoutClaims(ended));
        const body = { email: "anna@home.example", otp: await server.code("anna@home.example") };
        const answer = await visitor.call("PUT", "/login", { body });
        expect(answer.status).to.equal(401);
        expect(answer.text).to.include("Home has logged you out");
        expect(await isSignedIn(visitor)).to.equal(false);
      }
      expect(
        await server.database.db
          .selectFrom("identities")
          .where("user_id", "!=", bystander.id)
          .selectAll()
          .execute(),
      ).to.have.length(0);
      server.clock.advance(1_000);
      const later = server.client();
      await arrive(later);
      const body = { email: "anna@home.example", otp: await server.code("anna@home.example") };
      expect((await later.call("PUT", "/login", { body })).status).to.equal(200);
    });

    it("ends nothing of another subject or another session", async () => {
      expect((await logOut(logoutClaims({ sub: "bert" }))).status).to.equal(200);
      expect((await logOut(logoutClaims({ sid: "unknown" }))).status).to.equal(200);
      expect(await isSignedIn(browser)).to.equal(true);
    });

    for (const { name, claims = (given: Claims) => given, sign } of cases)
      it(`refuses a token with ${name}`, async () => {
        const given = claims(logoutClaims());
        const token = sign ? await sign(given, hostile) : await hostile.sign(given, { typ: "logout+jwt" });
        const { status, json } = await send(token);
        expect(status).to.equal(400);
        expect(json).to.include({ error: "invalid_request" });
        expect(await isSignedIn(browser)).to.equal(true);
        if (token !== "") expect(server.logged.join("")).not.to.include(token);
      });

    it("refuses pages of other sites", async () => {
      const token = await hostile.sign(logoutClaims(), { typ: "logout+jwt" });
      const page = await server.client().call("POST", "/login/oidc/logout", {
        raw: `logout_token=${token}`,
        headers: { "content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "cross-site" },
      });
      expect(page.status).to.equal(403);
    });
  });
