import { expect } from "chai";
import { minuteMs } from "../../../../core/kernel/durations.ts";
import type { Identity } from "../../../../core/session/identityEndpoints.ts";
import { createSignInLink } from "../../../../server/features/session/signIn/signInLink.ts";
import type { OidcConfig } from "../../../../server/platform/config/oidc.ts";
import { type IdentityProvider, startIdentityProvider } from "../../../support/identityProvider.ts";
import { bystander } from "../../support/bystander.ts";
import type { Client } from "../../support/client.ts";
import { codeNow, nextStep, protect } from "../../support/secondFactor.ts";
import {
  newVisit,
  oidcConfigOf,
  openTicket,
  type SignOnVisit,
  signOn,
  throughProvider,
} from "../../support/signOn.ts";
import { type ServerOptions, startServer, type TestServer } from "../../support/startServer.ts";

const publicUrl = "http://bauta.test";
const anna = { sub: "anna", email: "anna@home.example", email_verified: true };

describe("Single sign-on", () => {
  let provider: IdentityProvider;
  let server: TestServer;

  before(async () => {
    provider = await startIdentityProvider();
  });
  after(() => provider.stop());
  beforeEach(() => {
    provider.accounts.splice(0, Number.POSITIVE_INFINITY, anna);
    provider.asked = anna;
  });
  afterEach(() => server.stop());

  const start = async (oidc: Partial<OidcConfig> = {}, more: ServerOptions = {}): Promise<void> => {
    server = await startServer({ publicUrl, ...more, oidc: oidcConfigOf(provider, oidc) });
    await provider.serve(publicUrl, `${server.origin}/login/oidc/logout`);
  };
  const visit = (): SignOnVisit => newVisit(server, provider.issuer);
  const createAccount = async (browser: Client, answer: unknown): Promise<void> => {
    const { tempToken } = answer as { tempToken: string };
    const made = await browser.call("POST", "/signup", { body: { tempToken, tier: "free" } });
    expect(made.status).to.equal(200);
    browser.token = (made.json as { token: string }).token;
  };
  const signUp = async (at = visit()): Promise<SignOnVisit> => {
    const { json } = await openTicket(at.browser, await signOn(at));
    await createAccount(at.browser, json);
    return at;
  };
  const identitiesOf = async (browser: Client): Promise<readonly Identity[]> =>
    ((await browser.call("GET", "/account/identities")).json as { identities: readonly Identity[] })
      .identities;
  const isSignedIn = async (browser: Client): Promise<boolean> =>
    (await browser.call("GET", "/account")).status === 200;

  it("leads back to the path that the server has on its host", async () => {
    server = await startServer({ publicUrl: `${publicUrl}/bauta`, oidc: oidcConfigOf(provider) });
    await provider.serve(`${publicUrl}/bauta`, `${server.origin}/login/oidc/logout`);
    expect(await signOn(visit())).to.match(/^\/bauta\/login#sso=/);
    const cancelled = await server.client().call("GET", "/login/oidc/callback?error=access_denied");
    expect(cancelled.headers.get("location")).to.match(/^\/bauta\/login#sso-error=/);
  });

  it("makes an account for a new person, and signs in without a question the second time", async () => {
    await start();
    const first = visit();
    const answer = await openTicket(first.browser, await signOn(first));
    expect(answer.json).to.include({ status: "plan_selection_required", email: anna.email });
    await createAccount(first.browser, answer.json);
    const [identity] = await identitiesOf(first.browser);
    expect(identity).to.include({ provider: "Home", email: anna.email });

    const second = visit();
    const again = await openTicket(second.browser, await signOn(second));
    expect(again.json).to.have.property("token");
    expect(await server.mails(anna.email)).to.have.length(0);
    expect(await isSignedIn(second.browser)).to.equal(true);
  });

  it("connects a known account only with a code sent to its address", async () => {
    await start();
    const owner = await server.signIn(anna.email);
    server.clock.advance(2 * minuteMs);
    const { browser, atProvider } = visit();
    const answer = await openTicket(browser, await signOn({ browser, atProvider }));
    expect(answer.json).to.deep.equal({ status: "code_required", email: anna.email });
    expect(await identitiesOf(owner)).to.have.length(0);

    const otp = await server.code(anna.email);
    const verified = await browser.call("PUT", "/login", { body: { email: anna.email, otp } });
    browser.token = (verified.json as { token: string }).token;
    expect(await identitiesOf(browser)).to.have.length(1);
    const told = await server.database.db
      .selectFrom("notifications")
      .where("user_id", "!=", bystander.id)
      .select("message")
      .execute();
    expect(told.map(({ message }) => message).join()).to.include("You can log in with Home now");
    const [mail] = (await server.mails(anna.email)).slice(-1);
    expect(mail?.subject).to.equal("You can log in with Home · Bauta");
    expect(mail?.text).to.include("disconnect it in Settings › General");
  });

  it("connects nothing with a code for another mailbox, or without the provider", async () => {
    await start();
    await server.signIn(anna.email);
    const { browser, atProvider } = visit();
    await openTicket(browser, await signOn({ browser, atProvider }));
    await browser.call("POST", "/login", { body: { email: "bert@home.example" } });
    const verified = await browser.call("PUT", "/login", {
      body: { email: "bert@home.example", otp: await server.code("bert@home.example") },
    });
    await createAccount(browser, verified.json);
    expect(await identitiesOf(browser)).to.have.length(0);
    expect(await identitiesOf(await server.signIn(anna.email))).to.have.length(0);
  });

  it("asks for the second factor of the account before it connects, and each time after", async () => {
    await start();
    const { browser: owner, secret } = await protect(server, anna.email);
    const { browser, atProvider } = visit();
    await openTicket(browser, await signOn({ browser, atProvider }));
    const otp = await server.code(anna.email);
    const proven = await browser.call("PUT", "/login", { body: { email: anna.email, otp } });
    expect(proven.json).to.have.property("requires2FA", true);
    expect(await identitiesOf(owner)).to.have.length(0);
    const { tempToken } = proven.json as { tempToken: string };
    const code = codeNow(server, secret);
    const done = await browser.call("POST", "/login/verify2fa", {
      body: { email: anna.email, code, tempToken },
    });
    expect(done.status).to.equal(200);
    expect(await identitiesOf(owner)).to.have.length(1);

    const again = visit();
    const answer = await openTicket(again.browser, await signOn(again));
    expect(answer.json).to.include({ requires2FA: true, email: anna.email });
    expect(answer.json).not.to.have.property("token");
  });

  it("ends the sessions that began there when the provider logs out, and no others", async () => {
    await start();
    const at = await signUp();
    const byCode = await server.signIn(anna.email);
    expect(await isSignedIn(at.browser)).to.equal(true);

    const page = await at.atProvider.call("GET", "/session/end");
    const xsrf = /name="xsrf" value="([^"]+)"/.exec(page.text)?.[1] ?? "";
    const loggedOut = await at.atProvider.call("POST", "/session/end/confirm", {
      raw: new URLSearchParams({ xsrf, logout: "yes" }).toString(),
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
    expect(loggedOut.status).to.equal(303);
    expect(await isSignedIn(at.browser)).to.equal(false);
    expect(await isSignedIn(byCode)).to.equal(true);
  });

  it("needs the browser that began for its ticket, once, within a minute", async () => {
    await start({}, { clockStands: true });
    await signUp();
    const { browser, atProvider } = visit();
    const address = await signOn({ browser, atProvider });
    expect((await openTicket(server.client(), address)).status).to.equal(401);
    expect((await openTicket(browser, address)).status).to.equal(200);
    expect((await openTicket(browser, address)).status).to.equal(401);

    const late = visit();
    const lateAddress = await signOn(late);
    server.clock.advance(60_000);
    expect((await openTicket(late.browser, lateAddress)).status).to.equal(401);
  });

  it("takes a code of the provider once, and only with the state of the browser", async () => {
    await start();
    const { browser, atProvider } = visit();
    const path = await throughProvider({ browser, atProvider });
    const stolen = await server.client().call("GET", path);
    expect(stolen.headers.get("location")).to.equal("/login#sso-error=expired");
    const state = browser.cookies.get("maskSsoState") ?? "";
    expect((await browser.call("GET", path)).headers.get("location")).to.match(/^\/login#sso=/);
    expect((await browser.call("GET", path)).headers.get("location")).to.equal("/login#sso-error=expired");
    browser.cookies.set("maskSsoState", state);
    expect((await browser.call("GET", path)).headers.get("location")).to.equal("/login#sso-error=refused");
  });

  it("follows the sign-up policy, and lets in whom OIDC_ALLOW names", async () => {
    await start({}, { signUp: { mode: "closed", allowed: [] } });
    const closed = visit();
    expect((await openTicket(closed.browser, await signOn(closed))).status).to.equal(403);
    await server.stop();
    await start({}, { signUp: { mode: "invite", allowed: [] } });
    const invited = visit();
    const answer = await openTicket(invited.browser, await signOn(invited));
    expect(answer.json).to.include({ needsInvitation: true });
    await server.stop();
    await start(
      { allowed: [{ kind: "domain", value: "home.example" }] },
      { signUp: { mode: "closed", allowed: [] } },
    );
    await signUp();
  });

  it("takes only whom OIDC_ALLOW names, by address or claim, also who has an account", async () => {
    provider.asked = {
      sub: "carl",
      email: "carl@home.example",
      email_verified: true,
      groups: ["bauta", "more"],
    };
    provider.accounts.push(provider.asked);
    await start({ allowed: [{ kind: "claim", claim: "groups", value: "bauta" }] });
    await signUp();
    provider.asked = anna;
    await server.signIn(anna.email);
    const refused = visit();
    expect(await signOn(refused)).to.equal("/login#sso-error=not-allowed");
  });

  it("connects nobody by an address that the provider has not verified, account or not", async () => {
    provider.asked = { sub: "dora", email: "dora@home.example", email_verified: false };
    provider.accounts.push(provider.asked);
    await start();
    expect(await signOn(visit())).to.equal("/login#sso-error=unverified");
    await server.signIn("dora@home.example");
    expect(await signOn(visit())).to.equal("/login#sso-error=unverified");
  });

  it("takes no mask for the address of an account", async () => {
    provider.asked = { sub: "eve", email: "some.mask@masks.test", email_verified: true };
    provider.accounts.push(provider.asked);
    await start();
    expect(await signOn(visit())).to.equal("/login#sso-error=own-mask");
  });

  it("says nothing to who turns back at the provider", async () => {
    await start();
    const { browser } = visit();
    const begun = await browser.call("GET", "/login/oidc");
    const state = new URL(begun.headers.get("location") ?? "").searchParams.get("state") ?? "";
    const query = new URLSearchParams({ error: "access_denied", state, iss: provider.issuer });
    const back = await browser.call("GET", `/login/oidc/callback?${query}`);
    expect(back.headers.get("location")).to.equal("/login");
  });

  it("refuses all codes where the provider is the only way, but those that connect an account", async () => {
    await start({ only: true });
    for (const email of [anna.email, "nobody@home.example"]) {
      expect((await server.client().call("POST", "/login", { body: { email } })).status).to.equal(403);
      const tried = await server.client().call("PUT", "/login", { body: { email, otp: "000000" } });
      expect(tried.status).to.equal(403);
      expect(tried.text).to.include("Continue with Home");
    }
    await signUp();
    await server.database.db.deleteFrom("identities").where("user_id", "!=", bystander.id).execute();
    const { browser, atProvider } = visit();
    await openTicket(browser, await signOn({ browser, atProvider }));
    const other = await browser.call("POST", "/login", { body: { email: "bert@home.example" } });
    expect(other.status).to.equal(403);
    const otp = await server.code(anna.email);
    const verified = await browser.call("PUT", "/login", { body: { email: anna.email, otp } });
    expect(verified.status).to.equal(200);
  });

  it("disconnects an identity, and ends the other sessions that began with it", async () => {
    await start();
    const { browser } = await signUp();
    const other = visit();
    await openTicket(other.browser, await signOn(other));
    const stranger = await server.signIn("stranger@home.example");
    const [identity] = await identitiesOf(browser);
    const path = `/account/identities/${identity?.id}`;
    expect((await stranger.call("DELETE", path)).status).to.equal(404);
    expect((await browser.call("DELETE", path)).status).to.equal(200);
    expect(await identitiesOf(browser)).to.have.length(0);
    expect(await isSignedIn(other.browser)).to.equal(false);
    const again = visit();
    expect((await openTicket(again.browser, await signOn(again))).json).to.include({
      status: "code_required",
    });
  });

  it("forgets the identities of a removed account, and keeps suspended ones out", async () => {
    await start();
    const { browser } = await signUp();
    await server.database.db
      .updateTable("users")
      .where("id", "!=", bystander.id)
      .set({ suspended: 1 })
      .execute();
    const suspended = visit();
    expect((await openTicket(suspended.browser, await signOn(suspended))).status).to.equal(403);
    await server.database.db
      .updateTable("users")
      .where("id", "!=", bystander.id)
      .set({ suspended: 0 })
      .execute();
    const deleted = await browser.call("DELETE", "/account", { body: { email: anna.email } });
    expect(deleted.status).to.equal(200);
    expect(
      await server.database.db
        .selectFrom("identities")
        .where("user_id", "!=", bystander.id)
        .selectAll()
        .execute(),
    ).to.have.length(0);
  });

  it("is counted apart from codes and links, also after a second factor", async () => {
    await start();
    const ways = async () => {
      const rows = await server.database.db
        .selectFrom("sessions")
        .where("user_id", "!=", bystander.id)
        .select("way")
        .orderBy("way")
        .execute();
      return rows.map(({ way }) => way);
    };
    const { browser, secret } = await protect(server, anna.email);
    const { link } = await createSignInLink(server.database.db, {
      ...server.context,
      publicUrl,
      email: anna.email,
      now: server.clock.now(),
    });
    const [, token = ""] = /#sign-in=([^/]+)/.exec(link) ?? [];
    const opened = await browser.call("POST", "/login/link", { body: { token } });
    const secondFactor = async (client: Client, answer: unknown): Promise<void> => {
      const { tempToken } = answer as { tempToken: string };
      const body = { email: anna.email, code: codeNow(server, secret), tempToken };
      expect((await client.call("POST", "/login/verify2fa", { body })).status).to.equal(200);
    };
    await secondFactor(server.client(), opened.json);
    expect(await ways()).to.deep.equal(["code", "link"]);
    nextStep(server);
    const at = visit();
    await openTicket(at.browser, await signOn(at));
    const otp = await server.code(anna.email);
    const proven = await at.browser.call("PUT", "/login", { body: { email: anna.email, otp } });
    await secondFactor(at.browser, proven.json);
    expect(await ways()).to.deep.equal(["code", "link", "oidc"]);
    nextStep(server);
    const again = visit();
    await secondFactor(again.browser, (await openTicket(again.browser, await signOn(again))).json);
    expect(await ways()).to.deep.equal(["code", "link", "oidc", "oidc"]);
  });

  it("tells the page its name, and is not there without settings", async () => {
    await start();
    const known = await server.client().call("GET", "/config.json");
    expect(known.json).to.have.property("singleSignOn").that.deep.equals({ name: "Home", only: false });
    await server.stop();
    server = await startServer();
    expect((await server.client().call("GET", "/login/oidc")).status).to.equal(404);
    expect((await server.client().call("GET", "/config.json")).json).not.to.have.property("singleSignOn");
  });
});
