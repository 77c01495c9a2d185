import { expect } from "chai";
import { codeAt, wrongCodeAt } from "../../../support/authenticator.ts";
import {
  askForFactor,
  codeNow,
  nextStep,
  offer,
  type Protected,
  protect,
} from "../../../support/secondFactor.ts";
import { openSocket, settle } from "../../../support/socketClient.ts";
import { startServer, type TestServer } from "../../../support/startServer.ts";

describe("Signing in with a second factor (SI9)", () => {
  let server: TestServer;
  let user: Protected;
  let people = 0;

  before(async () => {
    server = await startServer();
  });
  after(() => server.stop());
  beforeEach(async () => {
    user = await protect(server, `person${++people}@example.org`);
  });

  const again = async () => ({ email: user.email, tempToken: await askForFactor(server, user.email) });

  it("requests it after the mailed code, and starts no session before", async () => {
    const browser = server.client();
    await browser.call("POST", "/login", { body: { email: user.email } });
    const answer = await browser.call("PUT", "/login", {
      body: { email: user.email, otp: await server.code(user.email) },
    });
    const { requires2FA, tempToken, ...rest } = answer.json as { requires2FA: boolean; tempToken: string };
    expect([answer.status, requires2FA, rest]).to.deep.equal([200, true, {}]);
    expect(tempToken).to.have.length(43);
    expect([...browser.cookies.keys()].filter((name) => name === "maskSession")).to.deep.equal([]);
    const entered = await browser.call("POST", "/login/verify2fa", {
      body: { email: user.email, code: codeNow(server, user.secret), tempToken },
    });
    const { token, user: account } = entered.json as { token: string; user: object };
    expect(account).to.deep.include({ email: user.email, twoFactor: { enabled: true } });
    browser.token = token;
    expect((await browser.call("GET", "/account")).status).to.equal(200);
  });

  it("refuses a wrong code with 401 and a message at the field", async () => {
    const wrong = wrongCodeAt(user.secret, server.clock.now());
    const { status, json } = await offer(server, { ...(await again()), code: wrong });
    const message = "Invalid 2FA code. Enter the one that your authenticator shows now.";
    expect([status, json]).to.deep.equal([401, { message, errors: [{ field: "code", message }] }]);
  });

  it("accepts the code of the step before and after, and never the same step twice", async () => {
    const now = server.clock.now();
    const before = codeAt(user.secret, now - 30_000);
    // The code of the step before the present one was used during setup.
    const replayed = await offer(server, { ...(await again()), code: before });
    expect(replayed.status).to.equal(401);
    expect((replayed.json as { message: string }).message).to.equal(
      "This code was used already. Wait for the next one.",
    );
    expect(
      (await offer(server, { ...(await again()), code: codeAt(user.secret, now + 30_000) })).status,
    ).to.equal(200);
    const older = await offer(server, { ...(await again()), code: codeAt(user.secret, now) });
    expect(older.status, "an older step than one taken").to.equal(401);
  });

  it("allows five tries for a ticket, and the right code fails after them", async () => {
    const ticket = await again();
    const wrong = wrongCodeAt(user.secret, server.clock.now());
    for (let tries = 0; tries < 5; tries++)
      expect((await offer(server, { ...ticket, code: wrong })).status).to.equal(401);
    const late = await offer(server, { ...ticket, code: codeNow(server, user.secret) });
    expect([late.status, late.json]).to.deep.equal([
      401,
      { message: "This login has expired or was tried too often. Start again with a new code." },
    ]);
    expect((await offer(server, { ...(await again()), code: codeNow(server, user.secret) })).status).to.equal(
      200,
    );
  });

  it("accepts a ticket for five minutes", async () => {
    const [early, late] = [await again(), await again()];
    server.clock.advance(4.9 * 60_000);
    expect((await offer(server, { ...early, code: codeNow(server, user.secret) })).status).to.equal(200);
    server.clock.advance(0.2 * 60_000);
    nextStep(server);
    expect((await offer(server, { ...late, code: codeNow(server, user.secret) })).status).to.equal(401);
  });

  it("accepts a ticket once, and only with its own address", async () => {
    const other = await protect(server, `other${people}@example.org`);
    const ticket = await again();
    const code = codeNow(server, user.secret);
    expect((await offer(server, { ...ticket, email: other.email, code })).status).to.equal(401);
    expect((await offer(server, { ...ticket, code })).status).to.equal(200);
    nextStep(server);
    expect((await offer(server, { ...ticket, code: codeNow(server, user.secret) })).status).to.equal(401);
  });

  it("accepts each recovery code once in its place, and notifies its owner by mail", async () => {
    const [code = ""] = user.recoveryCodes;
    const typed = ` ${code.toUpperCase().replace("-", " ")} `;
    expect((await offer(server, { ...(await again()), code: typed })).status).to.equal(200);
    server.clock.advance(1);
    const second = await offer(server, { ...(await again()), code });
    expect((second.json as { message: string }).message).to.equal(
      "Invalid recovery code. Each of them works once.",
    );
    expect((await user.browser.call("GET", "/account/2fa")).json).to.have.property("recoveryCodesLeft", 9);
    const subjects = (await server.mails(user.email)).map(({ subject }) => subject);
    expect(subjects).to.include("A recovery code was used · Bauta");
  });

  it("notifies the other pages of the account that a recovery code is used up", async () => {
    const page = await openSocket(server.origin, user.browser);
    page.send("subscribe", { resource: "account" });
    await settle(page);
    const [, code = ""] = user.recoveryCodes;
    expect((await offer(server, { ...(await again()), code })).status).to.equal(200);
    const { data } = await page.waitFor(
      ({ type, data }) => type === "data_update" && data?.["resource"] === "account",
    );
    expect(data).to.deep.include({ resource: "account", action: "updated" });
    page.socket.close();
  });

  it("accepts a recovery code for its own user only", async () => {
    const other = await protect(server, `other${people}@example.org`);
    const refused = await offer(server, { ...(await again()), code: other.recoveryCodes[0] ?? "" });
    expect(refused.status).to.equal(401);
  });

  it("requests it also when an older sign-up ticket is used by a user who has an account by now", async () => {
    const email = `twice${people}@example.org`;
    await server.client().call("POST", "/login", { body: { email } });
    const verified = await server
      .client()
      .call("PUT", "/login", { body: { email, otp: await server.code(email) } });
    const { tempToken } = verified.json as { tempToken: string };
    server.clock.advance(1);
    await protect(server, email);
    const answer = await server.client().call("POST", "/signup", { body: { tempToken, tier: "free" } });
    expect(answer.json).to.have.property("requires2FA", true);
    expect(answer.json).not.to.have.property("token");
  });

  it("names the missing field (SI4)", async () => {
    const ticket = await again();
    for (const [code, sentence] of [
      ["", "2FA code is required"],
      ["12345", "2FA code must be 6 digits"],
      ["k3v9d-8m2q", "2FA code must be 6 digits"],
    ] as const) {
      const { status, json } = await offer(server, { ...ticket, code });
      expect([status, (json as { message: string }).message]).to.deep.equal([400, sentence]);
    }
  });
});
