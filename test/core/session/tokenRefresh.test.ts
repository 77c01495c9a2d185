import { expect } from "chai";
import { startApp } from "../../fakes/appOnFakes.ts";
import type { Answer } from "../../fakes/fakeHttp.ts";
import { settled } from "../../fakes/virtualClock.ts";
import { problemFrom } from "../problems.ts";

const farewell = "Your session has expired. Please log in again.";
const paths = ["/auth/refresh-token", "/refresh-token"];

const visit = async (answer?: Answer) => {
  const started = await startApp();
  const { server, app } = started;
  if (answer !== undefined) for (const path of paths) server.on("POST", path, answer);
  const before = server.requests.length;
  return {
    ...started,
    refresh: () => app.session.refresh()(),
    requests: () =>
      server.requests
        .slice(before)
        .map(({ path }) => path)
        .filter((path) => paths.includes(path)),
    toasts: () => app.toasts.list$.value.map(({ text }) => text),
  };
};

describe("Refreshing a session", () => {
  it("calls /auth/refresh-token directly, authenticated by the cookie alone", async () => {
    const { refresh, requests, server, storage, product } = await visit();
    expect(await refresh()).to.have.property("_tag", "Right");
    expect(requests()).to.deep.equal(["/auth/refresh-token"]);
    const [request] = server.requestsTo("POST /auth/refresh-token");
    expect(Object.keys(request?.headers ?? {})).to.have.members(["accept", "x-request-id"]);
    expect(storage.local.read("authToken")).to.equal(product.token());
  });

  it("calls /refresh-token next, and finally through the shared HTTP client", async () => {
    const { refresh, requests, server, storage } = await visit({ status: 404 });
    let times = 0;
    server.on("POST", "/auth/refresh-token", () => {
      times += 1;
      return times === 1 ? { status: 404 } : { json: { token: "the.third.one" } };
    });
    expect(await refresh()).to.have.property("_tag", "Right");
    expect(requests()).to.deep.equal(["/auth/refresh-token", "/refresh-token", "/auth/refresh-token"]);
    const [, shared] = server.requestsTo("POST /auth/refresh-token");
    expect(Object.keys(shared?.headers ?? {})).to.include.members(["authorization", "x-request-id"]);
    expect(storage.local.read("authToken")).to.equal("the.third.one");
  });

  it("succeeds with the second endpoint where the first does not exist", async () => {
    const { refresh, requests, server, storage } = await visit();
    server.on("POST", "/auth/refresh-token", "unreachable");
    server.on("POST", "/refresh-token", { json: { token: "the.second.one" } });
    expect(await refresh()).to.have.property("_tag", "Right");
    expect(requests()).to.deep.equal(paths);
    expect(storage.local.read("authToken")).to.equal("the.second.one");
  });

  for (const status of [401, 404, 500])
    it(`fails with "Token refresh failed with status: ${status}"`, async () => {
      const { refresh } = await visit({ status, json: { message: "No" } });
      expect(problemFrom(await refresh()).message).to.equal(`Token refresh failed with status: ${status}`);
    });

  it("fails with a message when the answer contains no token", async () => {
    const { refresh } = await visit({ json: { tokens: [] } });
    expect(problemFrom(await refresh()).message).to.equal("Invalid response from token refresh endpoint");
  });
});

describe("Refreshing a session, again and again", () => {
  it("happens once for all requests at the same time", async () => {
    const { refresh, requests } = await visit();
    const all = await Promise.all([refresh(), refresh(), refresh()]);
    expect(all.map(({ _tag }) => _tag)).to.deep.equal(["Right", "Right", "Right"]);
    expect(requests()).to.have.length(1);
  });

  it("does not happen within 10 s of the last one, whose result is shared", async () => {
    const { refresh, requests, clock } = await visit();
    await refresh();
    await clock.advance(9_999);
    expect(await refresh()).to.have.property("_tag", "Right");
    expect(requests()).to.have.length(1);
    await clock.advance(1);
    await refresh();
    expect(requests()).to.have.length(2);
  });

  it("shares a failure for 10 s too", async () => {
    const { refresh, requests, clock } = await visit({ status: 500 });
    await refresh();
    await clock.advance(9_999);
    expect(problemFrom(await refresh()).message).to.equal("Token refresh failed with status: 500");
    expect(requests()).to.have.length(3);
  });

  it("is attempted twice; the third attempt in a row ends the session instead", async () => {
    const { refresh, requests, clock, app, page, toasts, storage } = await visit({ status: 500 });
    await refresh();
    await clock.advance(10_000);
    await refresh();
    await clock.advance(10_000);
    expect(app.session.state$.value.kind).to.equal("signed-in");
    const { message } = problemFrom(await refresh());
    expect(message).to.equal("Token refresh failed after max attempts");
    expect(requests()).to.have.length(6);
    expect(app.session.state$.value.kind).to.equal("signed-out");
    expect(page.path$.value).to.equal("/login");
    expect(toasts()).to.include(farewell);
    expect(storage.local.keys()).to.deep.equal([]);
  });

  it("resets its count after a success", async () => {
    const { refresh, clock, app, server } = await visit({ status: 500 });
    const failing = async (): Promise<void> => {
      await refresh();
      await clock.advance(10_000);
    };
    await failing();
    server.on("POST", "/refresh-token", { json: { token: "a.good.one" } });
    await failing();
    server.on("POST", "/refresh-token", { status: 500 });
    await failing();
    await failing();
    expect(app.session.state$.value.kind).to.equal("signed-in");
    await failing();
    expect(app.session.state$.value.kind).to.equal("signed-out");
  });

  it("resets its count for the next session", async () => {
    const { refresh, clock, app, server, requests } = await visit({ status: 500 });
    await refresh();
    await clock.advance(10_000);
    await refresh();
    await app.session.logOut()();
    await clock.advance(500);
    await app.signIn.requestCode("ada@example.org")();
    await clock.advance(500);
    await app.signIn.verifyCode("123456")();
    for (const path of paths) server.on("POST", path, { json: { token: "a.good.one" } });
    const before = requests().length;
    expect(await refresh()).to.have.property("_tag", "Right");
    expect(requests()).to.have.length(before + 1);
  });

  it("does not count attempts without an answer", async () => {
    const { refresh, clock, app } = await visit("unreachable");
    for (let n = 0; n < 5; n += 1) {
      expect(problemFrom(await refresh()).message).to.equal("Connection issue. Please try again later.");
      await clock.advance(10_000);
    }
    expect(app.session.state$.value.kind).to.equal("signed-in");
  });

  it("stores nothing when the user has logged out meanwhile", async () => {
    const { refresh, clock, app, storage } = await visit({ json: { token: "too.late.now" }, afterMs: 1_000 });
    const refreshing = refresh();
    await settled();
    await app.session.logOut()();
    await clock.advance(1_000);
    await refreshing;
    expect(storage.local.keys()).to.deep.equal([]);
    expect(app.session.state$.value.kind).to.equal("signed-out");
  });
});
