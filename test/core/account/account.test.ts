import { expect } from "chai";
import { startApp } from "../../fakes/appOnFakes.ts";
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
    const { app, server } = await startApp();
    server.on("GET", "/account", { status: 404 });
    expect(problemFrom(await app.account.refresh()()).sentence).to.equal("Failed to get account data");
  });
});
