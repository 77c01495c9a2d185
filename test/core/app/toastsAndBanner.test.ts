import { expect } from "chai";
import { startApp } from "../../fakes/appOnFakes.ts";

describe("A toast", () => {
  it("closes 5 s after it was shown, independently of other toasts", async () => {
    const { app, clock } = await startApp();
    app.toasts.show("success", "one");
    await clock.advance(3_000);
    app.toasts.show("error", "two");
    const texts = () => app.toasts.list$.value.map(({ text }) => text);
    await clock.advance(1_999);
    expect(texts()).to.deep.equal(["one", "two"]);
    await clock.advance(1);
    expect(texts()).to.deep.equal(["two"]);
    await clock.advance(3_000);
    expect(texts()).to.deep.equal([]);
  });

  it("can be closed earlier by the user", async () => {
    const { app } = await startApp();
    app.toasts.show("info", "one");
    app.toasts.show("info", "two");
    const [first, second] = app.toasts.list$.value;
    expect(first?.id).to.not.equal(second?.id);
    app.toasts.close(first?.id ?? "");
    expect(app.toasts.list$.value).to.deep.equal([second]);
  });

  it("with a repeated text is one toast with a count, and closes 5 s after the last repetition", async () => {
    const { app, clock } = await startApp();
    const seen = () => app.toasts.list$.value.map(({ kind, text, count }) => [kind, text, count]);
    app.toasts.show("success", "Copied");
    await clock.advance(3_000);
    app.toasts.show("info", "other");
    app.toasts.show("error", "Copied");
    app.toasts.show("success", "Copied");
    app.toasts.show("success", "Copied");
    expect(seen()).to.deep.equal([
      ["info", "other", 1],
      ["error", "Copied", 1],
      ["success", "Copied", 3],
    ]);
    await clock.advance(4_999);
    expect(seen()).to.have.length(3);
    await clock.advance(1);
    expect(seen()).to.deep.equal([]);
    app.toasts.show("success", "Copied");
    expect(seen()).to.deep.equal([["success", "Copied", 1]]);
  });

  it("is removed when its user logs out", async () => {
    const { app } = await startApp();
    app.toasts.show("success", "Mask created successfully");
    await app.session.logOut()();
    expect(app.toasts.list$.value).to.deep.equal([]);
  });

  it("that gives the reason for the end of the session stays", async () => {
    const { app, product } = await startApp();
    app.toasts.show("success", "Mask created successfully");
    product.endSession();
    await app.masks.refresh()();
    expect(app.session.state$.value.kind).to.equal("signed-out");
    expect(app.toasts.list$.value.map(({ text }) => text)).to.deep.equal([
      "Your session has expired. Please log in again.",
    ]);
  });

  it("without text is not shown", async () => {
    const { app } = await startApp();
    app.toasts.show("error", "");
    expect(app.toasts.list$.value).to.deep.equal([]);
  });

  it("that was shown before a restart still closes", async () => {
    const { app, stop, clock } = await startApp();
    app.toasts.show("info", "one");
    stop();
    await clock.advance(10_000);
    app.start();
    await clock.advance(5_000);
    expect(app.toasts.list$.value).to.deep.equal([]);
  });
});

describe("The banner", () => {
  it("stays until it is dismissed", async () => {
    const { app, clock } = await startApp({ isSignedIn: false });
    app.banner.show("Something concerns the whole page.");
    await clock.advance(600_000);
    expect(app.banner.message$.value).to.equal("Something concerns the whole page.");
    app.banner.dismiss();
    expect(app.banner.message$.value).to.equal(null);
  });
});
