import { expect } from "chai";
import { startApp } from "../../fakes/appOnFakes.ts";
import { createFakeHttp } from "../../fakes/fakeHttp.ts";
import type { FakePorts } from "../../fakes/fakePorts.ts";
import { createUser } from "../../fakes/productServer.ts";
import { settled } from "../../fakes/virtualClock.ts";
import { problemFrom } from "../problems.ts";

describe("The account", () => {
  it("is loaded when a user signs in, with the limits of its plan", async () => {
    const { app } = await startApp();
    expect(app.account.account$.value?.limits).to.deep.equal({
      maxMasks: 2,
      emailsPerMonth: 100,
      storageLimit: "1MB",
      historyRetention: "7 days",
    });
  });

  it("determines the plan once it is loaded; until then the stored user does", async () => {
    const { app, server, clock } = await startApp({
      before: (fakes) => fakes.server.on("GET", "/account", { status: 500 }),
    });
    expect(app.masks.plan$.value).to.deep.equal({ tier: "free", maxMasks: 2 });
    const rich = createUser("ada@example.org", { subscription: { tier: "pro_premium", status: "active" } });
    server.on("GET", "/account", {
      json: { ...rich, subscription: { tier: "PRO_PREMIUM", status: "active" } },
      afterMs: 100,
    });
    const refreshing = app.account.refresh()();
    await clock.advance(100);
    await refreshing;
    expect(app.masks.plan$.value).to.deep.equal({ tier: "pro_premium", maxMasks: null });
  });

  it("of a user who has logged out meanwhile is not shown", async () => {
    const { app, server, clock } = await startApp();
    server.on("GET", "/account", { json: createUser("ada@example.org"), afterMs: 1_000 });
    const refreshing = app.account.refresh()();
    await settled();
    await app.session.logOut()();
    await clock.advance(1_000);
    await refreshing;
    expect(app.account.account$.value).to.equal(null);
  });

  it("that cannot be loaded shows an error", async () => {
    const { app } = await startApp({
      before: (fakes) => fakes.server.on("GET", "/account", { status: 404 }),
    });
    expect(problemFrom(await app.account.refresh()()).message).to.equal("Failed to get account data");
    expect(app.account.account$.value).to.equal(null);
  });
});

describe("A cached account", () => {
  const secondVisit = async (afterMs: number, before: (fakes: FakePorts) => void = () => {}) => {
    const first = await startApp();
    first.stop();
    await first.clock.advance(afterMs);
    const second = await startApp({ ...first, server: createFakeHttp(first.clock), before });
    return { ...second, read: second.server.requestsTo("GET /account").length };
  };

  it("is used from the cache for 300 s, without a request", async () => {
    const { app, read } = await secondVisit(299_000);
    expect(read).to.equal(0);
    expect(app.account.account$.value?.email).to.equal("ada@example.org");
    expect(app.account.warning$.value).to.equal(null);
  });

  it("is requested after that", async () => {
    const { read } = await secondVisit(300_000);
    expect(read).to.equal(1);
  });

  it("is requested once in 300 s however often its page is visited, except after a change and on a manual refresh", async () => {
    const { app, server, clock, sockets } = await startApp();
    sockets.latest().accept();
    await clock.advance(1_000);
    const requests = (): number => server.requestsTo("GET /account").length;
    const visit = async (): Promise<void> => {
      const leave = app.account.watch();
      await app.account.refreshIfOld()();
      leave();
      await clock.advance(1_000);
    };
    for (let visits = 0; visits < 10; visits += 1) await visit();
    expect(requests()).to.equal(1);
    sockets.latest().push({ type: "data_update", data: { resource: "masks", action: "updated" } });
    await settled();
    await visit();
    await visit();
    expect(requests(), "a mail has come").to.equal(2);
    await app.account.refresh()();
    await visit();
    expect(requests(), "by hand").to.equal(3);
    await clock.advance(300_000);
    await visit();
    await visit();
    expect(requests(), "older than 300 s").to.equal(4);
  });

  it("is requested on a manual refresh", async () => {
    const { app, server } = await secondVisit(1_000);
    await app.account.refresh()();
    expect(server.requestsTo("GET /account")).to.have.length(1);
  });

  for (const answer of ["unreachable", { status: 500 }, { status: 404 }] as const)
    it(`is shown from the cache, with a warning, when the server answers ${JSON.stringify(answer)}`, async () => {
      const { app, server } = await secondVisit(86_400_000, (fakes) =>
        fakes.server.on("GET", "/account", answer),
      );
      expect(app.account.account$.value?.email).to.equal("ada@example.org");
      expect(app.account.warning$.value).to.equal("Using cached account data. Refresh when online.");
      server.on("GET", "/account", {
        json: { ...createUser("ada@example.org"), keyStatus: "not-configured" },
      });
      await app.account.refresh()();
      expect(app.account.warning$.value).to.equal(null);
      expect(app.account.account$.value?.keyStatus).to.equal("not-configured");
    });

  it("is not shown to the next user of the browser", async () => {
    const first = await startApp();
    await first.app.session.logOut()();
    expect(first.storage.local.keys()).to.deep.equal([]);
    const bob = createUser("bob@example.org");
    const second = await startApp({
      ...first,
      server: createFakeHttp(first.clock),
      user: bob,
      before: ({ storage, server }) => {
        storage.local.write(
          "cached_account",
          JSON.stringify({ owner: "ada@example.org", savedAt: 0, value: createUser("ada@example.org") }),
        );
        server.on("GET", "/account", "unreachable");
      },
    });
    expect(second.app.account.account$.value).to.equal(null);
  });
});

describe("An account that changes on the server", () => {
  const connected = async () => {
    const visit = await startApp();
    const { sockets, clock } = visit;
    sockets.latest().accept();
    sockets.latest().push({ type: "auth_response", data: { success: true, userId: "u" } });
    await clock.advance(2_000);
    const before = visit.server.requestsTo("GET /account").length;
    return {
      ...visit,
      read: () => visit.server.requestsTo("GET /account").length - before,
      hear: async (resource: string) => {
        sockets.latest().push({ type: "data_update", data: { resource, action: "updated" } });
        await settled();
      },
    };
  };

  it("shows a changed plan without a manual refresh", async () => {
    const { app, server, sockets, hear } = await connected();
    expect(sockets.latest().sent.map(({ data }) => data)).to.deep.include({ resource: "account" });
    const pro = createUser("ada@example.org", { subscription: { tier: "pro", status: "active" } });
    server.on("GET", "/account", { json: pro });
    await hear("account");
    expect(app.account.account$.value?.subscription.tier).to.equal("pro");
  });

  it("is shown as the socket sends it, without a request", async () => {
    const { app, sockets, read } = await connected();
    const entity = createUser("ada@example.org", { subscription: { tier: "pro", status: "active" } });
    const say = (data: object) => sockets.latest().push({ type: "data_update", data });
    say({ resource: "masks", resourceId: "m", action: "deleted", entity: null });
    say({ resource: "account", action: "updated", entity });
    await settled();
    expect(app.account.account$.value?.subscription.tier).to.equal("pro");
    expect(read()).to.equal(0);
  });

  it("shows a changed key", async () => {
    const { read, hear } = await connected();
    await hear("keys");
    expect(read()).to.equal(1);
  });

  it("follows masks and mail while its page is shown, and not afterwards", async () => {
    const { app, clock, read, hear } = await connected();
    await hear("masks");
    expect(read()).to.equal(0);
    const look = app.account.watch();
    const alsoLook = app.account.watch();
    await hear("masks");
    expect(read()).to.equal(1);
    look();
    look();
    await clock.advance(1_000);
    await hear("masks");
    expect(read()).to.equal(2);
    alsoLook();
    await clock.advance(1_000);
    await hear("masks");
    expect(read()).to.equal(2);
  });

  it("is loaded once a second however many events arrive, and once more after the last", async () => {
    const { app, server, clock, read, hear } = await connected();
    app.account.watch();
    for (let mails = 0; mails < 100; mails += 1) {
      await hear("masks");
      await clock.advance(30);
    }
    expect(read()).to.be.within(3, 4);
    server.on("GET", "/account", { json: createUser("ada@example.org", { keyStatus: "not-configured" }) });
    await hear("masks");
    await clock.advance(2_000);
    expect(app.account.account$.value?.keyStatus).to.equal("not-configured");
  });

  it("is not requested a second time while a request is under way", async () => {
    const { server, clock, read, hear } = await connected();
    server.on("GET", "/account", { json: createUser("ada@example.org"), afterMs: 5_000 });
    await hear("account");
    await clock.advance(4_000);
    await hear("account");
    expect(read()).to.equal(1);
    await clock.advance(1_000);
    expect(read()).to.equal(2);
  });

  it("is loaded again when the connection returns, since it may have changed meanwhile", async () => {
    const { sockets, clock, read } = await connected();
    sockets.latest().drop(1006);
    await clock.advance(10_000);
    sockets.latest().accept();
    await clock.advance(1_000);
    expect(read()).to.equal(1);
  });

  it("that was shown from the cache is requested as soon as there is a network", async () => {
    const { app, server, online$ } = await startApp({
      before: (fakes) => {
        fakes.server.on("GET", "/account", "unreachable");
        fakes.online$.set(false);
      },
    });
    expect(app.account.account$.value).to.equal(null);
    server.on("GET", "/account", { json: createUser("ada@example.org") });
    online$.set(true);
    await settled();
    expect(app.account.account$.value?.email).to.equal("ada@example.org");
  });
});
