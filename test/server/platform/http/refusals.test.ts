import { connect } from "node:net";
import { buffer } from "node:stream/consumers";
import { expect } from "chai";
import { type Client, sendRaw } from "../../support/client.ts";
import { startServer, type TestServer } from "../../support/startServer.ts";

describe("A request that is refused", () => {
  let server: TestServer;
  let browser: Client;

  before(async () => {
    server = await startServer();
    browser = server.client();
  });
  after(() => server.stop());

  const login = (raw: string, type = "application/json") =>
    browser.call("POST", "/login", { raw, headers: { "content-type": type } });

  it("gets an error for every invalid field, with the messages of the specification", async () => {
    const answer = await browser.call("PUT", "/login", { body: { email: "nobody", otp: "12" } });
    expect(answer.status).to.equal(400);
    expect(answer.json).to.deep.equal({
      message: "Please enter a valid email address",
      errors: [
        { field: "email", message: "Please enter a valid email address" },
        { field: "otp", message: "Verification code must be 6 digits" },
      ],
    });
    const empty = await browser.call("POST", "/login", { body: { email: " " } });
    expect(empty.json).to.deep.include({ message: "Email is required" });
  });

  it("gets an error with the allowed values for a field without a message of its own", async () => {
    const user = await server.signIn("named@example.org");
    const problems = [
      ["POST", "/signup", {}, "tempToken must be text."],
      ["POST", "/ai/insights", { actionKey: "x", status: 7 }, "status must be 0, 1, or 2."],
      ["POST", "/billing/portal", {}, 'purpose must be "upgrade" or "manage".'],
      ["PUT", "/ai/preferences", {}, "preferences must be an object."],
      [
        "PUT",
        "/ai/content-access",
        { contentAccessEnabled: 1 },
        "contentAccessEnabled must be true or false.",
      ],
      ["POST", "/masks", { description: "x", settings: { rules: {} } }, "settings.rules must be a list."],
      ["POST", "/masks", { description: "x", settings: { rules: [1] } }, "This must be an object."],
      ["POST", "/auth/set-token-cookie", { token: "x", maxAge: "1" }, "maxAge must be a number."],
    ] as const;
    for (const [method, path, body, message] of problems) {
      const { status, json } = await user.call(method, path, { body });
      expect(status, path).to.equal(400);
      expect(json, path).to.deep.include({ message });
    }
  });

  it("gets 400 when its body is missing or no object", async () => {
    for (const raw of ["", "null", "[]", "1", '"a"']) {
      const { status, json } = await login(raw);
      expect(status, raw).to.equal(400);
      expect(json, raw).to.deep.include({ message: "The request body must be a JSON object." });
    }
  });

  it("gets 400 for JSON that is invalid, not UTF-8, or tries prototype pollution", async () => {
    const notUtf8 = new Uint8Array([...Buffer.from('{"email":"'), 0xff, ...Buffer.from('"}')]);
    for (const raw of [
      "{",
      "{'email':1}",
      notUtf8,
      '{"__proto__":{"email":"a@b.c"}}',
      '{"constructor":{"prototype":1}}',
    ]) {
      const { status, json } = await browser.call("POST", "/login", { raw });
      expect(status).to.equal(400);
      expect(json).to.deep.equal({ message: "The request body is not valid JSON." });
    }
  });

  it("causes no 5xx with deep nesting, huge numbers, NUL, lone surrogates or duplicate keys", async () => {
    const bodies = [
      `{"email":${"[".repeat(100_000)}${"]".repeat(100_000)}}`,
      `${'{"a":'.repeat(40_000)}1${"}".repeat(40_000)}`,
      '{"email":1e999999}',
      '{"email":"a\\u0000b@example.org"}',
      '{"email":"\\ud800@example.org"}',
      '{"email":"not one","email":"also not one"}',
      `{"email":"${"a".repeat(200_000)}@example.org"}`,
    ];
    for (const raw of bodies) expect((await login(raw)).status, raw.slice(0, 40)).to.equal(400);
  });

  it("has its body read to the end, so that a proxy that still writes it gets the answer and not a reset", async () => {
    const bodies = [
      ["POST /login", "application/json", `"${"x".repeat(8_000_000)}"`, 413],
      ["POST /login", "text/plain", "x".repeat(8_000_000), 415],
      ["POST /masks", "application/json", `"${"x".repeat(8_000_000)}"`, 401],
    ] as const;
    for (const [call, type, body, status] of bodies) {
      const socket = connect(server.port, "127.0.0.1");
      const [method, path] = call.split(" ");
      const head = ["host: bauta.test", `content-type: ${type}`, `content-length: ${body.length}`];
      socket.write([`${method} ${path} HTTP/1.1`, ...head, "", body].join("\r\n"));
      socket.end(["GET /livez HTTP/1.1", "host: bauta.test", "connection: close", "", ""].join("\r\n"));
      const answers = (await buffer(socket)).toString();
      const statuses = Array.from(answers.matchAll(/HTTP\/1\.1 (\d{3})/g), ([, one]) => Number(one));
      expect(statuses, call).to.deep.equal([status, 200]);
    }
  });

  it("gets 413 for a body of more than 256 kB and 415 for another type", async () => {
    expect((await login(`{"email":"${"a".repeat(300_000)}"}`)).status).to.equal(413);
    for (const type of [
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data",
      "nonsense",
      "a/b;;=",
    ]) {
      const { status, json } = await login('{"email":"a@example.org"}', type);
      expect(status, type).to.equal(415);
      expect(json).to.deep.equal({
        message: "Send JSON, with the header content-type: application/json.",
      });
    }
    expect((await login('{"email":"plain@example.org"}', "Application/JSON; charset=UTF-8")).status).to.equal(
      200,
    );
  });

  it("gets 405 for a method that the path does not support, with the supported ones", async () => {
    for (const [method, path, allow] of [
      ["DELETE", "/login", "GET, HEAD, POST, PUT"],
      ["PATCH", "/masks/x?a=b", "DELETE, GET, HEAD, PUT"],
      ["OPTIONS", "/masks", "GET, HEAD, POST"],
      ["PUT", "/config.json", "GET, HEAD"],
    ] as const) {
      const { status, json, headers } = await browser.call(method, path);
      expect(status, `${method} ${path}`).to.equal(405);
      expect(headers.get("allow"), path).to.equal(allow);
      expect(json).to.deep.equal({ message: "This address does not accept that method." });
    }
  });

  it("gets a JSON error when it is no valid HTTP", async () => {
    for (const [sent, status, message] of [
      ["NONSENSE / HTTP/1.1", 400, "The request could not be read."],
      [`GET / HTTP/1.1\r\nx-a: ${"a".repeat(20_000)}`, 431, "The headers of the request are too large."],
    ] as const) {
      const socket = connect(server.port, "127.0.0.1", () => socket.write(`${sent}\r\nhost: x\r\n\r\n`));
      const answer = Buffer.concat(await socket.toArray()).toString();
      expect(answer).to.match(new RegExp(`^HTTP/1\\.1 ${status} `));
      expect(JSON.parse(answer.split("\r\n\r\n")[1] ?? "")).to.deep.equal({ message });
    }
  });

  it("gets 404 in JSON for an unknown path", async () => {
    for (const [method, path] of [
      ["GET", "/nothing"],
      ["PATCH", "/masks/x/y"],
      ["GET", "/assets/nothing.js"],
      ["GET", "/outbox"],
    ] as const) {
      const { status, json } = await browser.call(method, path);
      expect(status, `${method} ${path}`).to.equal(404);
      expect(json).to.have.property("message");
    }
  });

  it("gets 4xx for junk in paths, headers and queries", async () => {
    const user = await server.signIn("path@example.org");
    const headers = {
      authorization: `Bearer ${user.token}`,
      cookie: Array.from(user.cookies, ([name, value]) => `${name}=${value}`).join("; "),
    };
    const paths = [
      "/%",
      "/masks/%",
      "/masks/%00",
      "/masks/%c3%28",
      "/masks/%ff",
      `/masks/${"a".repeat(5_000)}`,
      "/masks/..%2f..%2fetc%2fpasswd",
      "/assets/..%2f..%2findex.html",
      "/assets/%2e%2e/sizes.json",
      "/sizes.json",
      "//",
      "/masks/x?__proto__=1&a[]=2&%",
      "/ws?token=%",
      "/confirm?token[]=1&token=2",
    ];
    for (const path of paths) {
      const { status, text } = await sendRaw(server.origin, { path, headers });
      expect(status, path).to.be.within(400, 499);
      expect(text, path).not.to.contain("etc/passwd");
    }
    const cookies = [
      "maskSession",
      "maskSession=.",
      "maskSession=a.b.c",
      "maskSession=%00.%00",
      "=;;;,",
      "a=%",
    ];
    for (const cookie of cookies)
      for (const authorization of [
        "Bearer",
        "Bearer a.b.c",
        "Basic eDp5",
        "Bearer é",
        `Bearer ${"x".repeat(9_000)}`,
      ])
        expect(
          (await sendRaw(server.origin, { path: "/account", headers: { cookie, authorization } })).status,
        ).to.equal(401);
  });

  it("gets 401 without a session before its body is parsed", async () => {
    const { status, json } = await browser.call("POST", "/masks", { raw: "{" });
    expect(status).to.equal(401);
    expect(json).to.deep.equal({ message: "Invalid or expired token" });
  });

  it("gets no details of an internal error, and the log gets no data about the user", async () => {
    const broken = await startServer();
    const user = await broken.signIn("secret.person@example.org");
    await broken.database.db.schema.alterTable("masks").renameTo("gone").execute();
    const { status, json } = await user.call("GET", "/masks");
    expect(status).to.equal(500);
    expect(json).to.deep.equal({ message: "Something went wrong. Try again." });
    const log = broken.logged.join("");
    expect(log).to.contain('"route":"/masks","error":{"name":"Error","code":"ERR_SQLITE_ERROR","at":["');
    expect(log).not.to.contain("secret.person");
    expect(log).not.to.contain(user.token);
    await broken.stop();
  });
});
