import { expect } from "chai";
import { startApp } from "../../fakes/appOnFakes.ts";
import { makeFakeHttp } from "../../fakes/fakeHttp.ts";
import type { FakePorts } from "../../fakes/fakePorts.ts";
import { makeUser } from "../../fakes/productServer.ts";
import { settled } from "../../fakes/virtualClock.ts";
import { problemFrom } from "../problems.ts";

describe("The account", () => {
  it("is read when somebody is signed in, with what its plan allows", async () => {
    const { app } = await startApp();
    expect(app.account.account$.value?.limits).to.deep.equal({
      maxMasks: 2,
      emailsPerMonth: 100,
      storageLimit: "1MB",
      historyRetention: "7 days",
    });
  });

  it("decides about the prefix as soon as it is known, before that the stored user does", async () => {
    const { app, server, clock } = await startApp({
      before: (fakes) => fakes.server.on("GET", "/account", { status: 500 }),
    });
    expect(app.masks.mayChoosePrefix$.value).to.equal(false);
    const rich = makeUser("ada@example.org", { subscription: { tier: "pro_premium", status: "active" } });
    server.on("GET", "/account", {
      json: { ...rich, subscription: { tier: "PRO_PREMIUM", status: "active" } },
      afterMs: 100,
    });
    const refreshing = app.account.refresh()();
    await clock.advance(100);
    await refreshing;
    expect(app.masks.mayChoosePrefix$.value).to.equal(true);
  });

  it("of somebody who has logged out meanwhile is not shown", async () => {
    const { app, server, clock } = await startApp();
    server.on("GET", "/account", { json: makeUser("ada@example.org"), afterMs: 1_000 });
    const refreshing = app.account.refresh()();
    await settled();
    await app.session.logOut()();
    await clock.advance(1_000);
    await refreshing;
    expect(app.account.account$.value).to.equal(null);
  });

  it("that cannot be had says so", async () => {
    const { app } = await startApp({
      before: (fakes) => fakes.server.on("GET", "/account", { status: 404 }),
    });
    expect(problemFrom(await app.account.refresh()()).sentence).to.equal("Failed to get account data");
    expect(app.account.account$.value).to.equal(null);
  });
});

describe("An account that was read before", () => {
  const secondVisit = async (afterMs: number, before: (fakes: FakePorts) => void = () => {}) => {
    const first = await startApp();
    first.stop();
    await first.clock.advance(afterMs);
    const second = await startApp({ ...first, server: makeFakeHttp(first.clock), before });
    return { ...second, read: second.server.seen("GET /account").length };
  };

  it("is taken as it was for 300 s, without asking", async () => {
    const { app, read } = await secondVisit(299_000);
    expect(read).to.equal(0);
    expect(app.account.account$.value?.email).to.equal("ada@example.org");
    expect(app.account.warning$.value).to.equal(null);
  });

  it("is asked for after that", async () => {
    const { read } = await secondVisit(300_000);
    expect(read).to.equal(1);
  });

  it("is asked for whenever somebody wants to know", async () => {
    const { app, server } = await secondVisit(1_000);
    await app.account.refresh()();
    expect(server.seen("GET /account")).to.have.length(1);
  });

  for (const answer of ["unreachable", { status: 500 }, { status: 404 }] as const)
    it(`stands in, with a warning, when the server answers ${JSON.stringify(answer)}`, async () => {
      const { app, server } = await secondVisit(86_400_000, (fakes) =>
        fakes.server.on("GET", "/account", answer),
      );
      expect(app.account.account$.value?.email).to.equal("ada@example.org");
      expect(app.account.warning$.value).to.equal("Using cached account data. Refresh when online.");
      server.on("GET", "/account", { json: { ...makeUser("ada@example.org"), keyStatus: "not-configured" } });
      await app.account.refresh()();
      expect(app.account.warning$.value).to.equal(null);
      expect(app.account.account$.value?.keyStatus).to.equal("not-configured");
    });

  it("is nothing to the next user of the browser", async () => {
    const first = await startApp();
    await first.app.session.logOut()();
    expect(first.storage.local.keys()).to.deep.equal([]);
    const bob = makeUser("bob@example.org");
    const second = await startApp({
      ...first,
      server: makeFakeHttp(first.clock),
      user: bob,
      before: ({ storage, server }) => {
        storage.local.write(
          "cached_account",
          JSON.stringify({ owner: "ada@example.org", savedAt: 0, value: makeUser("ada@example.org") }),
        );
        server.on("GET", "/account", "unreachable");
      },
    });
    expect(second.app.account.account$.value).to.equal(null);
  });
});
