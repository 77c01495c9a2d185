import { expect } from "chai";
import { Subject } from "rxjs";
import { type AppOnFakes, startApp } from "../../fakes/appOnFakes.ts";
import { createMask } from "../../fakes/productServer.ts";
import { startsAt } from "../../fakes/virtualClock.ts";

describe("The start of the app where painting is reported", () => {
  let on: AppOnFakes;
  const painted$ = new Subject<void>();
  const paths = (): readonly string[] => on.server.requests.map(({ url }) => url);
  afterEach(() => on.stop());

  it("loads the list first, and the rest when the list has been painted", async () => {
    on = await startApp({ masks: [createMask("shop")], settings: { painted$ } });
    await on.app.firstScreenKnown();
    expect(on.app.masks.view$.value.all).to.have.length(1);
    expect(paths()).to.deep.equal(["/masks?limit=500"]);
    painted$.next();
    await on.clock.advance(1);
    expect(paths()).to.include.members(["/account", "/csrf-token", "/auth/validate-token"]);
  });

  it("shows the cached list first, and loads the new one when that has been painted", async () => {
    const cached = { owner: "ada@example.org", savedAt: startsAt, value: [createMask("old")] };
    on = await startApp({
      masks: [createMask("shop")],
      settings: { painted$ },
      before: ({ storage }) => storage.local.write("cached_masks", JSON.stringify(cached)),
    });
    await on.app.firstScreenKnown();
    expect(on.app.masks.view$.value.all.map(({ id }) => id)).to.deep.equal(["old"]);
    expect(paths()).to.deep.equal([]);
    painted$.next();
    await on.clock.advance(1);
    expect(paths()).to.include("/masks?limit=500");
    expect(on.app.masks.view$.value.all.map(({ id }) => id)).to.deep.equal(["shop"]);
  });

  it("starts the rest after two seconds where nothing is painted, as in a hidden tab", async () => {
    on = await startApp({ masks: [createMask("shop")], settings: { painted$ } });
    await on.clock.advance(1_999);
    expect(paths()).to.deep.equal(["/masks?limit=500"]);
    await on.clock.advance(2);
    expect(paths()).to.include.members(["/account", "/csrf-token", "/auth/validate-token"]);
  });

  it("waits for the list no longer than a moment before something is shown", async () => {
    on = await startApp({ settings: { painted$ }, before: ({ server }) => server.cutOff(true) });
    let isKnown = false;
    void on.app.firstScreenKnown().then(() => {
      isKnown = true;
    });
    await on.clock.advance(301);
    expect(isKnown).to.equal(true);
  });

  it("removes what an earlier version has left in the browser", async () => {
    on = await startApp({ before: ({ storage }) => storage.local.write("keptScreen", "{}") });
    expect(on.storage.local.read("keptScreen")).to.equal(null);
  });
});
