import { expect } from "chai";
import { codeAt, wrongCodeAt } from "../../../support/authenticator.ts";
import { proveByCode } from "../../../support/recentProof.ts";
import { askForFactor, codeNow, protect } from "../../../support/secondFactor.ts";
import { startServer, type TestServer } from "../../../support/startServer.ts";

describe("Turning two-factor authentication on and off (SG2)", () => {
  let server: TestServer;
  let people = 0;

  before(async () => {
    server = await startServer();
  });
  after(() => server.stop());

  const somebody = (): string => `person${++people}@example.org`;
  const setUp = async (browser: Awaited<ReturnType<TestServer["signIn"]>>) =>
    (await browser.call("POST", "/account/2fa/setup")).json as { secret: string; uri: string };

  it("returns a secret and its URI, which have no effect until a code has been verified", async () => {
    const email = somebody();
    const browser = await server.signIn(email);
    const { secret, uri } = await setUp(browser);
    expect(secret).to.match(/^[A-Z2-7]{32}$/);
    expect(new URL(uri).searchParams.get("secret")).to.equal(secret);
    expect((await browser.call("GET", "/account/2fa")).json).to.deep.equal({
      enabled: false,
      recoveryCodesLeft: 0,
    });
    expect((await browser.call("GET", "/account")).json).to.have.deep.property("twoFactor", {
      enabled: false,
    });
    await server.client().call("POST", "/login", { body: { email } });
    const signedIn = await server
      .client()
      .call("PUT", "/login", { body: { email, otp: await server.code(email) } });
    expect(signedIn.json).to.have.property("token");
  });

  it("takes effect after a right code, with ten recovery codes, a notification and a mail", async () => {
    const { email, browser, recoveryCodes } = await protect(server, somebody());
    expect(recoveryCodes).to.have.length(10);
    expect(new Set(recoveryCodes).size).to.equal(10);
    for (const code of recoveryCodes) expect(code).to.match(/^[0-9a-hjkmnp-tv-z]{5}-[0-9a-hjkmnp-tv-z]{5}$/);
    expect((await browser.call("GET", "/account/2fa")).json).to.deep.equal({
      enabled: true,
      recoveryCodesLeft: 10,
    });
    expect((await browser.call("GET", "/account")).json).to.have.deep.property("twoFactor", {
      enabled: true,
    });
    const { notifications } = (await browser.call("GET", "/notifications?limit=50")).json as {
      notifications: { message: string; type: string; priority: string }[];
    };
    expect(notifications[0]).to.include({ type: "security", priority: "normal" });
    expect(notifications[0]?.message).to.match(/^Two-factor authentication was switched on\./);
    expect((await server.mails(email)).at(-1)?.subject).to.equal("Two-factor authentication is on · Bauta");
  });

  it("refuses a wrong code with a message at the field, and the right one still works", async () => {
    const browser = await server.signIn(somebody());
    const { secret } = await setUp(browser);
    const now = server.clock.now();
    const refused = await browser.call("POST", "/account/2fa/verify", {
      body: { code: wrongCodeAt(secret, now) },
    });
    expect(refused.status, "a 401 would end the session").to.equal(400);
    expect(refused.json).to.have.nested.property("errors[0].field", "code");
    const taken = await browser.call("POST", "/account/2fa/verify", { body: { code: codeAt(secret, now) } });
    expect(taken.status).to.equal(200);
  });

  for (const [code, sentence] of [
    ["", "2FA code is required"],
    ["12345", "2FA code must be 6 digits"],
    ["k3v9d-8m2qa", "2FA code must be 6 digits"],
  ] as const)
    it(`answers "${sentence}" to "${code}" (SI4)`, async () => {
      const browser = await server.signIn(somebody());
      await setUp(browser);
      const refused = await browser.call("POST", "/account/2fa/verify", { body: { code } });
      expect([refused.status, (refused.json as { message: string }).message]).to.deep.equal([400, sentence]);
    });

  it("accepts the newest secret when setup is requested again, and none after half an hour", async () => {
    const email = somebody();
    const browser = await server.signIn(email);
    const first = await setUp(browser);
    const second = await setUp(browser);
    expect(first.secret).not.to.equal(second.secret);
    const verify = (secret: string) =>
      browser.call("POST", "/account/2fa/verify", { body: { code: codeNow(server, secret) } });
    if (codeNow(server, first.secret) !== codeNow(server, second.secret))
      expect((await verify(first.secret)).status).to.equal(400);
    server.clock.advance(31 * 60_000);
    await browser.refresh();
    await proveByCode(server, browser, email);
    const late = await verify(second.secret);
    expect([late.status, late.json]).to.deep.equal([
      409,
      { message: "This setup has expired. Start again." },
    ]);
  });

  it("refuses a second setup while it is on", async () => {
    const { browser, secret } = await protect(server, somebody());
    expect((await browser.call("POST", "/account/2fa/setup")).status).to.equal(409);
    const again = await browser.call("POST", "/account/2fa/verify", {
      body: { code: codeNow(server, secret) },
    });
    expect(again.status).to.equal(409);
  });

  it("switches it off with a code of the authenticator, and with a recovery code", async () => {
    for (const kind of ["authenticator", "recovery"] as const) {
      const { email, browser, secret, recoveryCodes } = await protect(server, somebody());
      const code = kind === "authenticator" ? codeNow(server, secret) : recoveryCodes[3]?.toUpperCase();
      expect((await browser.call("DELETE", "/account/2fa", { body: { code } })).status, kind).to.equal(200);
      expect((await browser.call("GET", "/account/2fa")).json).to.deep.equal({
        enabled: false,
        recoveryCodesLeft: 0,
      });
      expect((await server.mails(email)).at(-1)?.subject).to.equal(
        "Two-factor authentication is off · Bauta",
      );
      server.clock.advance(1);
      await server.client().call("POST", "/login", { body: { email } });
      const signedIn = await server
        .client()
        .call("PUT", "/login", { body: { email, otp: await server.code(email) } });
      expect(signedIn.json, kind).to.have.property("token");
    }
  });

  it("keeps it on without the right code, and allows five tries in 15 minutes", async () => {
    const { email, browser, secret } = await protect(server, somebody());
    const off = (code: string) => browser.call("DELETE", "/account/2fa", { body: { code } });
    for (let tries = 0; tries < 5; tries++)
      expect((await off(wrongCodeAt(secret, server.clock.now()))).status).to.equal(400);
    const right = await off(codeNow(server, secret));
    expect(right.status).to.equal(429);
    expect(Number(right.headers.get("retry-after"))).to.be.within(841, 900);
    expect((await browser.call("GET", "/account/2fa")).json).to.have.property("enabled", true);
    server.clock.advance(15 * 60_000 + 1);
    await browser.refresh();
    await proveByCode(server, browser, email);
    expect((await off(codeNow(server, secret))).status).to.equal(200);
  });

  it("cancels a sign-in that was waiting for the second factor when it is switched off", async () => {
    const { email, browser, secret, recoveryCodes } = await protect(server, somebody());
    const tempToken = await askForFactor(server, email);
    await browser.call("DELETE", "/account/2fa", { body: { code: recoveryCodes[0] } });
    const late = await server
      .client()
      .call("POST", "/login/verify2fa", { body: { email, code: codeNow(server, secret), tempToken } });
    expect(late.status).to.equal(401);
  });

  it("replaces the recovery codes for a code of the authenticator, and the older ones stop working", async () => {
    const { email, browser, secret, recoveryCodes } = await protect(server, somebody());
    const renewed = await browser.call("POST", "/account/2fa/recovery-codes", {
      body: { code: codeNow(server, secret) },
    });
    const fresh = (renewed.json as { recoveryCodes: string[] }).recoveryCodes;
    expect(fresh).to.have.length(10);
    expect(fresh.filter((code) => recoveryCodes.includes(code))).to.deep.equal([]);
    const tempToken = await askForFactor(server, email);
    const enter = (code: string | undefined) =>
      server.client().call("POST", "/login/verify2fa", { body: { email, code, tempToken } });
    expect((await enter(recoveryCodes[0])).status).to.equal(401);
    expect((await enter(fresh[0])).status).to.equal(200);
  });

  it("gives a repeated request the first answer, also after the codes were shown", async () => {
    const browser = await server.signIn(somebody());
    const { secret } = await setUp(browser);
    const verify = () =>
      browser.call("POST", "/account/2fa/verify", {
        body: { code: codeNow(server, secret) },
        headers: { "x-request-id": "the-same" },
      });
    const [first, second] = [await verify(), await verify()];
    expect(first.status).to.equal(200);
    expect(second.text).to.equal(first.text);
  });

  it("stores nothing readable: no secret and no recovery code in any table or line of the log", async () => {
    const browser = await server.signIn(somebody());
    const named = { headers: { "x-request-id": "named" } };
    const { secret } = (await browser.call("POST", "/account/2fa/setup", named)).json as { secret: string };
    const verified = await browser.call("POST", "/account/2fa/verify", {
      body: { code: codeNow(server, secret) },
      headers: { "x-request-id": "named too".replace(" ", "-") },
    });
    const { recoveryCodes } = verified.json as { recoveryCodes: string[] };
    const tables = [
      "two_factors",
      "recovery_codes",
      "idempotent_answers",
      "notifications",
      "events",
    ] as const;
    const stored = JSON.stringify(
      await Promise.all(tables.map((table) => server.database.db.selectFrom(table).selectAll().execute())),
    );
    expect(stored, "there is something to look at").to.include("named-too");
    for (const text of [secret, ...recoveryCodes, ...recoveryCodes.map((code) => code.replace("-", ""))]) {
      expect(stored).not.to.include(text);
      expect(server.logged.join("")).not.to.include(text);
    }
  });

  it("is possible for the user's own account only", async () => {
    const stranger = server.client();
    for (const [method, path] of [
      ["GET", "/account/2fa"],
      ["POST", "/account/2fa/setup"],
      ["POST", "/account/2fa/verify"],
      ["DELETE", "/account/2fa"],
      ["POST", "/account/2fa/recovery-codes"],
    ] as const)
      expect((await stranger.call(method, path)).status, path).to.equal(401);
  });
});
