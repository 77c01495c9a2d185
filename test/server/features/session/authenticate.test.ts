import { expect } from "chai";
import { type Client, copyClient } from "../../support/client.ts";
import { startServer, type TestServer } from "../../support/startServer.ts";

const form = /^[0-9a-f]{32}\.[\w-]{43}$/;

describe("The anti-forgery token (RQ2)", () => {
  let server: TestServer;
  let user: Client;
  let people = 0;

  before(async () => {
    server = await startServer();
  });
  after(() => server.stop());
  beforeEach(async () => {
    user = await newUser();
  });

  const newUser = () => server.signIn(`owner${++people}@example.org`);
  const create = (client: Client, headers: Readonly<Record<string, string>> = {}) =>
    client.call("POST", "/masks", { body: { description: "" }, headers });
  /** 400 means that the request passed the anti-forgery check and failed at its body. */
  const isThrough = async (client: Client, headers = {}): Promise<boolean> =>
    (await create(client, headers)).status === 400;

  it("is sent with the sign-in: in a header, and in a cookie that scripts can read", async () => {
    expect(user.cookies.get("csrfToken")).to.match(form);
    expect(await isThrough(user)).to.equal(true);
    const again = await user.call("GET", "/csrf-token");
    expect(again.headers.getSetCookie().join())
      .to.match(/csrfToken=/)
      .and.not.to.match(/HttpOnly/);
  });

  it("is returned by GET /csrf-token in body, header and cookie, with the same value for every tab", async () => {
    const known = user.cookies.get("csrfToken");
    const { status, json, headers } = await user.call("GET", "/csrf-token");
    expect(status).to.equal(200);
    expect(json).to.deep.equal({ csrfToken: known });
    expect(headers.get("x-csrf-token")).to.equal(known);
    const visitor = server.client();
    expect((await visitor.call("GET", "/csrf-token")).json)
      .to.have.property("csrfToken")
      .that.matches(form);
  });

  it("is required for every request that changes data in a user's name", async () => {
    const calls = [
      ["POST", "/masks"],
      ["PUT", "/masks/x"],
      ["DELETE", "/masks/x"],
      ["PUT", "/notifications/read"],
      ["DELETE", "/notifications/1"],
      ["DELETE", "/account/sessions/x"],
    ] as const;
    for (const [method, path] of calls) {
      const { status, json, headers } = await user.call(method, path, {
        body: {},
        headers: { "x-csrf-token": "" },
      });
      expect(status, `${method} ${path}`).to.equal(403);
      expect(json).to.deep.equal({
        message: "The CSRF token was missing or out of date. Try again.",
      });
      expect(headers.get("x-csrf-token")).to.equal(user.cookies.get("csrfToken"));
    }
  });

  it("is refused when it is changed, another session's or unlike the cookie; a repeat with the new one passes", async () => {
    const other = await newUser();
    const [own = "", foreign = ""] = [user.cookies.get("csrfToken"), other.cookies.get("csrfToken")];
    const [chance = "", signature = ""] = own.split(".");
    const sent: readonly (readonly [cookie: string, header: string])[] = [
      [foreign, foreign],
      [own, foreign],
      [foreign, own],
      [`${chance}0.${signature}`, `${chance}0.${signature}`],
      [`${"0".repeat(32)}.${signature}`, `${"0".repeat(32)}.${signature}`],
      [chance, chance],
    ];
    for (const [cookie, header] of sent) {
      const page = copyClient(server.origin, user);
      page.cookies.set("csrfToken", cookie);
      const refused = await create(page, { "x-csrf-token": header });
      expect(refused.status).to.equal(403);
      const fresh = refused.headers.get("x-csrf-token") ?? "";
      expect(fresh).to.match(form);
      expect(await isThrough(page, { "x-csrf-token": fresh })).to.equal(true);
    }
  });

  it("is sent again with any answer to a user whose token is missing or stale, and not otherwise", async () => {
    const page = copyClient(server.origin, user);
    page.cookies.set("csrfToken", "stale");
    const { headers } = await page.call("GET", "/account");
    expect(headers.get("x-csrf-token")).to.match(form);
    expect(page.cookies.get("csrfToken")).to.equal(headers.get("x-csrf-token"));
    expect((await page.call("GET", "/account")).headers.get("x-csrf-token")).to.equal(null);
    const nobody = await server.client().call("GET", "/account");
    expect(nobody.headers.get("x-csrf-token")).to.equal(null);
  });

  it("stays valid after a refresh, and ends with the session", async () => {
    const before = user.cookies.get("csrfToken");
    await user.refresh();
    expect(user.cookies.get("csrfToken")).to.equal(before);
    expect(await isThrough(user)).to.equal(true);
    await user.call("POST", "/logout");
    expect(user.cookies.has("csrfToken")).to.equal(false);
    const next = await server.signIn(`owner${people}@example.org`);
    expect(await isThrough(next, { "x-csrf-token": before })).to.equal(false);
  });

  it("is not required for sign-in, refresh and sign-out, where the origin is checked instead", async () => {
    const page = copyClient(server.origin, user);
    page.cookies.delete("csrfToken");
    for (const path of ["/auth/refresh-token", "/refresh-token", "/auth/clear-token", "/logout"]) {
      const elsewhere = await page.call("POST", path, { headers: { origin: "https://evil.example" } });
      expect(elsewhere.status).to.equal(403);
      expect(elsewhere.json).to.have.property("message").that.contains("CSRF");
    }
    expect((await page.call("POST", "/auth/refresh-token")).status).to.equal(200);
    expect((await page.call("POST", "/logout")).status).to.equal(200);
  });
});
