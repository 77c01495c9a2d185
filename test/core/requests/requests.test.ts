import { expect } from "chai";
import type { HttpMethod } from "../../../core/ports/http.ts";
import { startApp } from "../../fakes/appOnFakes.ts";
import type { ReceivedRequest } from "../../fakes/fakeHttp.ts";
import { createMask, createUser, rightCode, tokenOf } from "../../fakes/productServer.ts";
import { settled } from "../../fakes/virtualClock.ts";
import { problemFrom } from "../problems.ts";

const draft = {
  description: "Shop",
  forwardTo: "ada@example.org",
  spamFilter: true,
  labels: [],
  note: "",
  customPrefix: "",
};

const last = <A>(list: readonly A[]): A => {
  const found = list.at(-1);
  if (found === undefined) throw new Error("there is none");
  return found;
};

const header = (name: string) => (request: ReceivedRequest) => request.headers[name];

describe("Every request", () => {
  it("is sent to the page's own origin, or to the configured address", async () => {
    const here = await startApp();
    const there = await startApp({ settings: { baseAddress: "https://api.example.org/" } });
    expect(here.server.requestsTo("GET /masks")[0]?.url).to.equal("/masks?limit=500");
    expect(there.server.requestsTo("GET /masks")[0]?.url).to.equal("https://api.example.org/masks?limit=500");
  });

  it("accepts JSON, and declares its body as JSON", async () => {
    const { app, server } = await startApp();
    await app.masks.create(draft)();
    expect(last(server.requestsTo("GET /masks")).headers).to.include({ accept: "application/json" });
    expect(last(server.requestsTo("GET /masks")).headers).to.not.have.property("content-type");
    expect(last(server.requestsTo("POST /masks")).headers).to.include({ "content-type": "application/json" });
  });

  it("carries the stored token, and none without a signed-in user", async () => {
    const signedIn = await startApp();
    const signedOut = await startApp({ isSignedIn: false });
    await signedOut.app.signIn.requestCode("ada@example.org")();
    expect(last(signedIn.server.requestsTo("GET /masks")).headers).to.include({
      authorization: `Bearer ${tokenOf("ada@example.org")}`,
    });
    expect(last(signedOut.server.requestsTo("POST /login")).headers).to.not.have.property("authorization");
  });

  it("has a random id, 16 bytes in hexadecimal", async () => {
    const { app, server } = await startApp();
    await app.masks.refresh()();
    await app.account.refresh()();
    const names = server.requests.map(header("x-request-id"));
    for (const name of names) expect(name).to.match(/^[0-9a-f]{32}$/);
    expect(new Set(names)).to.have.property("size", names.length);
    expect(names.length).to.be.greaterThan(3);
  });
});

describe("The CSRF token", () => {
  it("is requested at the start and stored", async () => {
    const { server, storage } = await startApp();
    expect(server.requestsTo("GET /csrf-token")).to.have.length(1);
    expect(storage.local.read("csrfToken")).to.equal("c5f".padEnd(32, "0"));
  });

  it("is taken from the cookie where there is one", async () => {
    const { app, server } = await startApp({
      before: ({ page }) => page.setCookie("csrfToken", "from-cookie"),
    });
    await app.masks.create(draft)();
    expect(last(server.requestsTo("POST /masks")).headers).to.include({ "x-csrf-token": "from-cookie" });
  });

  it("is taken from the storage where there is no cookie", async () => {
    const { app, server } = await startApp();
    await app.masks.create(draft)();
    expect(last(server.requestsTo("POST /masks")).headers).to.include({
      "x-csrf-token": "c5f".padEnd(32, "0"),
    });
  });

  it("is generated from 16 random bytes where there is none, and does not change afterwards", async () => {
    const { app, server, storage } = await startApp({
      before: (fakes) => fakes.server.on("GET", "/csrf-token", { status: 404 }),
    });
    await app.masks.create(draft)();
    const sent = last(server.requestsTo("POST /masks")).headers["x-csrf-token"];
    expect(sent).to.match(/^[0-9a-f]{32}$/);
    expect(storage.local.read("csrfToken")).to.equal(sent);
    await app.masks.refresh()();
    expect(last(server.requestsTo("GET /masks")).headers["x-csrf-token"]).to.equal(sent);
  });

  it("is replaced by the one in an answer", async () => {
    const { app, server } = await startApp();
    server.on("GET", "/masks", { json: { masks: [] }, headers: { "x-csrf-token": "newer" } });
    await app.masks.refresh()();
    await app.masks.create(draft)();
    expect(last(server.requestsTo("POST /masks")).headers).to.include({ "x-csrf-token": "newer" });
  });

  it("is not sent with requests that sign in or out", async () => {
    const { app, server, clock } = await startApp({
      isSignedIn: false,
      user: createUser("ada@example.org", { twoFactor: { enabled: true } }),
    });
    await app.signIn.requestCode("ada@example.org")();
    await clock.advance(500);
    await app.signIn.verifyCode(rightCode)();
    await clock.advance(500);
    await app.signIn.verifyTwoFactor("654321")();
    await app.session.logOut()();
    for (const call of [
      "GET /csrf-token",
      "POST /login",
      "PUT /login",
      "POST /login/verify2fa",
      "POST /logout",
    ])
      expect(last(server.requestsTo(call)).headers, call).to.not.have.property("x-csrf-token");
  });
});

describe("A request that times out", () => {
  it("is canceled after 15 s and fails as a connection problem", async () => {
    const { app, server, clock } = await startApp({ masks: [createMask("m1")] });
    server.on("PUT", "/masks/:id", "silent");
    let sentence: string | undefined;
    void app.masks
      .edit("m1", draft)()
      .then((result) => {
        sentence = problemFrom(result).message;
      });
    await clock.advance(14_999);
    expect(sentence).to.equal(undefined);
    await clock.advance(1);
    expect(sentence).to.equal("Connection issue. Please try again later.");
  });

  it("is canceled after the configured time", async () => {
    const { app, server, clock } = await startApp({ settings: { timeoutMs: 2_000 } });
    server.on("GET", "/masks/:id", "silent");
    const pending = app.masks.read("m1")();
    await clock.advance(2_000);
    expect(problemFrom(await pending).failure).to.include({ kind: "timeout", afterMs: 2_000 });
  });

  it("leaves no timer behind once it is answered", async () => {
    const { app, clock } = await startApp({ settings: { configuration: quiet } });
    const { actions } = clock.scheduler as unknown as { actions: unknown[] };
    await clock.advance(10_000);
    const before = actions.length;
    await app.account.refresh()();
    await settled();
    expect(actions).to.have.length(before);
  });
});

const quiet = { brand: "Bauta", maskDomain: "masks.example", flags: { websockets: false } };

describe("A refused request", () => {
  const sentenceFor = async (method: HttpMethod, answer: object) => {
    const { app, server } = await startApp();
    server.on(method, "/masks", answer);
    return problemFrom(await app.masks.create(draft)());
  };

  it("shows the server's words, from `message` or `error`", async () => {
    const words = async (json: unknown) => (await sentenceFor("POST", { status: 403, json })).message;
    expect(await words({ message: "Free allows 2 masks" })).to.equal("Free allows 2 masks");
    expect(await words({ error: "No more masks" })).to.equal("No more masks");
    expect(await words({ message: "", error: "No more masks" })).to.equal("No more masks");
    expect(await words({ message: 7, error: "No more masks" })).to.equal("No more masks");
  });

  it("shows its messages beside the fields", async () => {
    const errors = [{ field: "forwardTo", message: "Please enter a valid email address" }];
    const problem = await sentenceFor("POST", { status: 400, json: { message: errors[0]?.message, errors } });
    expect(problem.fields).to.deep.equal(errors);
    expect(problem.message).to.equal("");
  });

  it("is read as far as possible when it is malformed", async () => {
    for (const odd of [
      { text: "<html>Bad gateway" },
      { json: [] },
      { json: null },
      { json: { errors: "many" } },
    ]) {
      const problem = await sentenceFor("POST", { status: 400, ...odd });
      expect(problem.fields).to.deep.equal([]);
      expect(problem.message).to.equal("Failed to create email mask");
    }
  });

  it("from 500 up says that our team has been notified, and reports the failure", async () => {
    const { app, server, reporter } = await startApp();
    server.on("POST", "/masks", { status: 503, json: { message: "The store is full." } });
    const { message } = problemFrom(await app.masks.create(draft)());
    expect(message).to.equal("Server error: The store is full. Our team has been notified.");
    expect(reporter.reports.map(({ error }) => String(error))).to.deep.equal([
      "Error: POST /masks answered 503",
    ]);
    expect(reporter.reports[0]?.context["requestId"]).to.match(/^[0-9a-f]{32}$/);
  });

  it("from 500 up does not say that a team has been notified where nobody receives reports", async () => {
    const { app, server, reporter } = await startApp();
    reporter.isReceived = false;
    server.on("POST", "/masks", { status: 503, json: { message: "The store is full." } });
    const { message } = problemFrom(await app.masks.create(draft)());
    expect(message).to.equal("Server error: The store is full.");
    expect(app.toasts.list$.value.map(({ text }) => text)).to.deep.equal([message]);
  });
});

describe("An answer", () => {
  it("that does not match its codec is not used, and no report contains any of it", async () => {
    const json = { email: 7, subscription: "secret@example.org" };
    const { app } = await startApp({ before: ({ server }) => server.on("GET", "/account", { json }) });
    const problem = problemFrom(await app.account.refresh()());
    expect(problem.failure.kind).to.equal("unreadable");
    expect(problem.message).to.equal("Failed to get account data");
    expect(JSON.stringify(problem.failure)).to.not.include("secret@example.org");
  });

  it("may be empty where all its fields are optional", async () => {
    const { app, server } = await startApp({ isSignedIn: false });
    server.on("POST", "/login", { text: "" });
    await app.signIn.requestCode("ada@example.org")();
    expect(app.signIn.step$.value.step).to.equal("code");
  });

  it("may be something other than JSON where no content is expected", async () => {
    const { app, server } = await startApp({ masks: [createMask("m1")] });
    server.on("DELETE", "/masks/:id", { text: "gone" });
    expect(await app.masks.remove("m1")()).to.have.property("_tag", "Right");
  });

  it("of one mask is requested by its percent-encoded id", async () => {
    const { app, server } = await startApp();
    await app.masks.read("a/b c?d")();
    expect(last(server.requests).url).to.equal("/masks/a%2Fb%20c%3Fd");
  });
});
