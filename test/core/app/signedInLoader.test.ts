import { expect } from "chai";
import { loadSignedIn } from "../../../core/app/signedInLoader.ts";
import { type AppOnFakesOptions, startApp } from "../../fakes/appOnFakes.ts";
import { settled } from "../../fakes/virtualClock.ts";

describe("The signed-in part of the app", () => {
  /** Each load of the code first runs the next function of this list; it succeeds when the list is empty. */
  const loading = (...loads: (() => Promise<unknown>)[]): AppOnFakesOptions => ({
    settings: { loadSignedIn: () => (loads.shift() ?? (async () => {}))().then(loadSignedIn) },
  });
  const fail = (): Promise<never> => Promise.reject(new Error("not loaded"));

  it("is loaded for a signed-in user only", async () => {
    let loads = 0;
    const options = loading(async () => {
      loads += 1;
    });
    const visitor = await startApp({ ...options, isSignedIn: false });
    expect(visitor.app.signedIn.state$.value.kind).to.equal("idle");
    expect(loads).to.equal(0);
    const { app } = await startApp(options);
    expect(app.signedIn.state$.value.kind).to.equal("loaded");
    expect(loads).to.equal(1);
  });

  it("is loaded again every 5 s after a failed load", async () => {
    const { app, sockets, clock } = await startApp(loading(fail, fail));
    expect(app.signedIn.state$.value.kind).to.equal("failed");
    await clock.advance(4_999);
    expect(app.signedIn.state$.value.kind).to.equal("failed");
    await clock.advance(5_001);
    expect(app.signedIn.state$.value.kind).to.equal("loaded");
    expect(sockets.connections).to.have.length(1);
  });

  it("is loaded at once when the user retries, and when the device is back online", async () => {
    const { app, online$ } = await startApp(loading(fail, fail));
    app.signedIn.retry();
    await settled();
    expect(app.signedIn.state$.value.kind).to.equal("failed");
    online$.set(false);
    await settled();
    expect(app.signedIn.state$.value.kind).to.equal("failed");
    online$.set(true);
    await settled();
    expect(app.signedIn.state$.value.kind).to.equal("loaded");
  });

  it("is not started when the app was stopped while it loaded, and is when the app starts again", async () => {
    let arrive = (): void => {};
    const late = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    const { app, sockets, stop } = await startApp(loading(() => late));
    expect(app.signedIn.state$.value.kind).to.equal("loading");
    stop();
    arrive();
    await settled();
    expect(sockets.connections).to.have.length(0);
    const stopAgain = app.start();
    await settled();
    expect(sockets.connections).to.have.length(1);
    stopAgain();
    app.start();
    await settled();
    expect(sockets.connections).to.have.length(2);
  });

  it("stops with the session, and is recreated for each session", async () => {
    const { app, signedIn, sockets } = await startApp();
    const first = signedIn();
    await app.session.logOut()();
    expect(app.signedIn.state$.value.kind).to.equal("idle");
    expect(first.masks.view$.value.all).to.have.length(0);
    expect(first.realtime.state$.value).to.equal("idle");
    expect(sockets.connections).to.have.length(1);
  });

  it("waits for a user to sign in", async () => {
    const { app } = await startApp();
    const { masks } = await app.signedIn.whenLoaded();
    expect(masks.view$.value.status).to.equal("ready");
  });
});
