import { expect } from "chai";
import { dayMs } from "../../../../core/kernel/durations.ts";
import type { Client } from "../../support/client.ts";
import { startServer, type TestServer } from "../../support/startServer.ts";

const invalid = { message: "Invalid or expired token" };

describe("A session", () => {
  let server: TestServer;
  let people = 0;

  beforeEach(async () => {
    server = await startServer();
  });
  afterEach(() => server.stop());

  const user = () => server.signIn(`holder${++people}@example.org`);
  const isIn = async (client: Client): Promise<boolean> =>
    (await client.call("GET", "/account")).status === 200;

  it("needs the token and the cookie it is bound to: either alone is refused (D41)", async () => {
    const holder = await user();
    expect(await isIn(holder)).to.equal(true);

    const thief = server.client();
    thief.token = holder.token;
    const copied = await thief.call("GET", "/account");
    expect(copied.status).to.equal(401);
    expect(copied.json).to.deep.equal(invalid);

    const cookieOnly = server.client();
    for (const [name, value] of holder.cookies) cookieOnly.cookies.set(name, value);
    expect(await isIn(cookieOnly)).to.equal(false);
  });

  it("refuses one user's token with another user's cookie", async () => {
    const [one, other] = [await user(), await user()];
    const mixed = server.client();
    mixed.token = one.token;
    for (const [name, value] of other.cookies) mixed.cookies.set(name, value);
    expect(await isIn(mixed)).to.equal(false);
  });

  it("refuses a token that was changed, or signed with another key", async () => {
    const holder = await user();
    const [header = "", payload = "", signature = ""] = (holder.token ?? "").split(".");
    const unsigned = Buffer.from('{"alg":"none","typ":"JWT"}').toString("base64url");
    const tokens = [
      `${header}.${payload}.`,
      `${unsigned}.${payload}.`,
      `${header}.${payload}.${signature.slice(1)}A`,
    ];
    for (const token of tokens) {
      holder.token = token;
      expect(await isIn(holder)).to.equal(false);
    }
  });

  it("keeps its secret in a cookie that no script and no other site can use", async () => {
    const email = "careful@example.org";
    const browser = server.client();
    await browser.call("POST", "/login", { body: { email } });
    const verified = await browser.call("PUT", "/login", { body: { email, otp: await server.code(email) } });
    const { tempToken } = verified.json as { tempToken: string };
    const { headers } = await browser.call("POST", "/signup", { body: { tempToken, tier: "free" } });
    const cookie = headers.getSetCookie().find((line) => line.startsWith("maskSession=")) ?? "";
    expect(cookie)
      .to.match(/; HttpOnly/)
      .and.to.match(/; SameSite=Strict/)
      .and.to.match(/; Path=\//);
    expect(cookie)
      .to.match(/; Max-Age=604800/)
      .and.not.to.match(/; Secure/);
  });

  it("binds its cookie to the host where HTTPS is used", async () => {
    const secure = await startServer({ publicUrl: "https://mail.example.org" });
    const holder = await secure.signIn("secure@example.org");
    expect([...holder.cookies.keys()]).to.include("__Host-maskSession");
    expect(await isIn(holder)).to.equal(true);
    await secure.stop();
  });

  it("has a token for 15 minutes, and ends 7 days after its last refresh", async () => {
    const holder = await user();
    const claims = Buffer.from(holder.token?.split(".")[1] ?? "", "base64url").toString("utf8");
    const { iat, exp } = JSON.parse(claims) as { iat: number; exp: number };
    expect(exp - iat).to.equal(900);
    server.clock.advance(14 * 60_000);
    expect(await isIn(holder)).to.equal(true);
    server.clock.advance(61_000);
    const late = await holder.call("GET", "/account");
    expect([late.status, late.json]).to.deep.equal([401, invalid]);

    for (const days of [6, 6]) {
      server.clock.advance(days * dayMs);
      expect((await holder.refresh()).headers.getSetCookie().join()).to.match(/maskSession=.*Max-Age=604800/);
      expect(await isIn(holder)).to.equal(true);
    }
    server.clock.advance(7.1 * dayMs);
    expect((await holder.refresh()).json).to.deep.equal(invalid);
  });

  it("is refreshed on both paths by the cookie alone, never by the token alone (SE6)", async () => {
    const holder = await user();
    const cookieOnly = server.client();
    for (const [name, value] of holder.cookies) cookieOnly.cookies.set(name, value);
    for (const path of ["/auth/refresh-token", "/refresh-token"]) {
      const { status, json } = await cookieOnly.call("POST", path);
      expect(status).to.equal(200);
      cookieOnly.token = (json as { token: string }).token;
      expect(await isIn(cookieOnly)).to.equal(true);
      const tokenOnly = server.client();
      tokenOnly.token = holder.token;
      expect((await tokenOnly.call("POST", path)).json).to.deep.equal(invalid);
    }
  });

  it("is validated, and its cookie set again, with 200 (SE8)", async () => {
    const holder = await user();
    expect((await holder.call("GET", "/auth/validate-token")).status).to.equal(200);
    const set = await holder.call("POST", "/auth/set-token-cookie", {
      body: { token: holder.token, maxAge: 3_600 },
    });
    expect(set.status).to.equal(200);
    expect(set.headers.getSetCookie().join()).to.match(/maskSession=.*Max-Age=3600/);
    for (const maxAge of [1e300, -5, 0]) {
      const odd = await holder.call("POST", "/auth/set-token-cookie", {
        body: { token: holder.token, maxAge },
      });
      expect(odd.headers.getSetCookie().join()).to.match(/Max-Age=604800/);
    }
    const brief = await holder.call("POST", "/auth/set-token-cookie", {
      body: { token: holder.token, maxAge: 0.5 },
    });
    expect(brief.headers.getSetCookie().join()).to.match(/Max-Age=1;/);
    const thief = server.client();
    const stolen = await thief.call("POST", "/auth/set-token-cookie", { body: { token: holder.token } });
    expect(stolen.status).to.equal(401);
    expect(stolen.headers.getSetCookie()).to.deep.equal([]);
    thief.token = holder.token;
    expect((await thief.call("GET", "/auth/validate-token")).json).to.deep.equal(invalid);
  });

  for (const path of ["/logout", "/auth/clear-token"])
    it(`ends immediately after POST ${path}, which can be repeated`, async () => {
      const holder = await user();
      const other = server.client();
      for (const [name, value] of holder.cookies) other.cookies.set(name, value);
      other.token = holder.token;
      expect((await holder.call("POST", path)).status).to.equal(200);
      expect([...holder.cookies.keys()], "only what tells the browser from others").to.deep.equal([
        "maskBrowser",
      ]);
      expect((await holder.call("POST", path)).status).to.equal(200);
      expect(await isIn(other)).to.equal(false);
      expect((await other.call("POST", "/auth/refresh-token")).status).to.equal(401);
      expect((await server.client().call("POST", path)).status, "without a session").to.equal(200);
    });

  it("ends alone, while the user's other sessions continue", async () => {
    const [phone, desk] = [await server.signIn("two@example.org"), await server.signIn("two@example.org")];
    await phone.call("POST", "/logout");
    expect(await isIn(phone)).to.equal(false);
    expect(await isIn(desk)).to.equal(true);
  });
});
