import { expect } from "chai";
import { startApp } from "../../fakes/appOnFakes.ts";
import type { Answer } from "../../fakes/fakeHttp.ts";
import { createMask, createUser } from "../../fakes/productServer.ts";
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
const farewell = "Your session has expired. Please log in again.";

/** Starts the app with a signed-in user whose token then expires. */
const atWork = async () => {
  const started = await startApp({ masks: [createMask("m1")] });
  await started.clock.advance(60_000);
  started.product.expireToken();
  const { server } = started;
  const before = server.requests.length;
  return {
    ...started,
    sent: () => server.requests.slice(before).map(({ method, path }) => `${method} ${path}`),
    toasts: () => started.app.toasts.list$.value.map(({ text }) => text),
  };
};

describe("A request with an expired token (401)", () => {
  it("is sent again with a new token, without a notice to the user", async () => {
    const { app, product, sent, server, toasts, storage, clock } = await atWork();
    expect(await app.masks.create(draft)()).to.have.property("_tag", "Right");
    expect(sent()).to.deep.equal(["POST /masks", "POST /auth/refresh-token", "POST /masks"]);
    const [first, second] = server.requestsTo("POST /masks");
    expect(second?.headers["authorization"]).to.equal(`Bearer ${product.token()}`);
    expect(second?.headers["x-request-id"]).to.equal(first?.headers["x-request-id"]);
    expect(second?.body).to.deep.equal(first?.body);
    expect(toasts()).to.deep.equal(["Mask created successfully"]);
    expect(app.session.state$.value.kind).to.equal("signed-in");
    expect(storage.local.read("authToken")).to.equal(product.token());
    expect(storage.local.read("tokenExpiry")).to.equal(String(clock.now() + 604_800_000));
    expect(storage.local.read("lastValidated")).to.equal(String(clock.now()));
  });

  it("shares the new token with all requests that were refused at the same time", async () => {
    const { app, sent } = await atWork();
    const all = [
      app.masks.refresh()(),
      app.masks.read("m1")(),
      app.masks.statistics("m1")(),
      app.masks.setActive("m1", false)(),
    ];
    for (const result of await Promise.all(all)) expect(result).to.have.property("_tag", "Right");
    expect(sent().filter((call) => call.includes("refresh"))).to.have.length(1);
  });

  it("uses a token that has arrived meanwhile, without refreshing again", async () => {
    const { app, sent, server, storage, product, clock } = await atWork();
    server.on(
      "PUT",
      "/masks/:id",
      ({ headers }): Answer =>
        headers["authorization"] === `Bearer ${product.token()}`
          ? { json: createMask("m1", { active: false }) }
          : { status: 401, afterMs: 2_000 },
    );
    const switching = app.masks.setActive("m1", false)();
    await settled();
    await app.masks.refresh()();
    const refreshes = sent().filter((call) => call.includes("refresh")).length;
    await clock.advance(20_000);
    expect(await switching).to.have.property("_tag", "Right");
    expect(refreshes).to.equal(1);
    expect(sent().filter((call) => call.includes("refresh"))).to.have.length(1);
    expect(storage.local.read("authToken")).to.equal(product.token());
  });

  it("ends the session when the server refuses a refresh: a toast, an empty storage, the page /login", async () => {
    const { app, product, page, storage, toasts, server } = await atWork();
    product.endSession();
    const problem = problemFrom(await app.masks.create(draft)());
    expect(problem.failure).to.include({ kind: "refused", status: 401 });
    expect(toasts()).to.deep.equal([farewell]);
    expect(app.session.state$.value.kind).to.equal("signed-out");
    expect(page.path$.value).to.equal("/login");
    expect([storage.local.keys(), storage.tab.keys()]).to.deep.equal([[], []]);
    expect(server.requestsTo("POST /auth/clear-token")).to.have.length(1);
  });

  it("shows one toast, however many requests were refused", async () => {
    const { app, product, toasts } = await atWork();
    product.endSession();
    await Promise.all([
      app.masks.refresh()(),
      app.masks.read("m1")(),
      app.masks.create(draft)(),
      app.account.refresh()(),
    ]);
    expect(toasts()).to.deep.equal([farewell]);
  });

  it("ends the session when the new token is refused too, and is sent at most twice", async () => {
    const { app, server, toasts } = await atWork();
    server.on("POST", "/masks", { status: 401 });
    await app.masks.create(draft)();
    expect(server.requestsTo("POST /masks")).to.have.length(2);
    expect(toasts()).to.deep.equal([farewell]);
    expect(app.session.state$.value.kind).to.equal("signed-out");
  });

  for (const [what, answer, sentence] of [
    ["no answer comes", "unreachable", "Connection issue. Please try again later."],
    ["the server is broken", { status: 503 }, "Server error: Server error. Our team has been notified."],
    [
      "there are too many requests",
      { status: 429, headers: { "retry-after": "30" } },
      "Too many requests. Please try again in a moment.",
    ],
  ] as const)
    it(`fails, and the session continues, when a token is requested and ${what}`, async () => {
      const { app, server, toasts, product } = await atWork();
      for (const path of ["/auth/refresh-token", "/refresh-token"]) server.on("POST", path, answer);
      expect(problemFrom(await app.masks.create(draft)()).message).to.equal(sentence);
      expect(toasts()).to.deep.equal([sentence]);
      expect(app.session.state$.value.kind).to.equal("signed-in");
      expect(product.token()).to.not.equal("");
    });

  it("is not repeated in another user's session", async () => {
    const { app, server, storage, clock } = await atWork();
    server.on("POST", "/masks", { status: 401, afterMs: 2_000 });
    const creating = app.masks.create(draft)();
    await settled();
    await app.session.logOut()();
    storage.local.write("userEmail", "bob@example.org");
    storage.local.write("userData", JSON.stringify(createUser("bob@example.org")));
    storage.local.write("authToken", "the.other.token");
    await clock.advance(10_000);
    await creating;
    expect(server.requestsTo("POST /masks")).to.have.length(1);
    expect(storage.local.read("authToken")).to.equal("the.other.token");
  });

  it("is not repeated when the user logs out during the refresh", async () => {
    const { app, server, storage, clock } = await atWork();
    server.on("POST", "/auth/refresh-token", { json: { token: "a.new.one" }, afterMs: 3_000 });
    const creating = app.masks.create(draft)();
    await settled();
    await app.session.logOut()();
    await clock.advance(10_000);
    await creating;
    expect(server.requestsTo("POST /masks")).to.have.length(1);
    expect(storage.local.keys()).to.deep.equal([]);
    expect(app.session.state$.value.kind).to.equal("signed-out");
  });

  it("is not refreshed on the endpoints of the sign-in", async () => {
    const { app, sent } = await atWork();
    await app.signIn.verifyCode("999999")();
    expect(sent().filter((call) => call.includes("refresh"))).to.deep.equal([]);
    expect(app.session.state$.value.kind).to.equal("signed-in");
  });
});
