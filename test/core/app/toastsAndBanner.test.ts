import { expect } from "chai";
import { findShownToast } from "../../../core/kernel/toast.ts";
import { startApp } from "../../fakes/appOnFakes.ts";

describe("A toast", () => {
  it("closes 5 s after it was shown", async () => {
    const { app, clock } = await startApp();
    app.toasts.show("success", "one");
    await clock.advance(4_999);
    expect(app.toasts.list$.value.map(({ text }) => text)).to.deep.equal(["one"]);
    await clock.advance(1);
    expect(app.toasts.list$.value).to.deep.equal([]);
  });

  it("with an action closes after 10 s", async () => {
    const { app, clock } = await startApp();
    app.toasts.show("success", "one", { label: "Undo", run: () => {} });
    await clock.advance(9_999);
    expect(app.toasts.list$.value).to.have.length(1);
    await clock.advance(1);
    expect(app.toasts.list$.value).to.deep.equal([]);
  });

  it("waits while a newer one is shown, and has its 5 s then", async () => {
    const { app, clock } = await startApp();
    const shown = () => findShownToast(app.toasts.list$.value)?.text;
    app.toasts.show("success", "one");
    app.toasts.show("success", "two");
    expect(shown()).to.equal("two");
    await clock.advance(5_000);
    expect(shown()).to.equal("one");
    await clock.advance(4_999);
    expect(shown()).to.equal("one");
    await clock.advance(1);
    expect(shown()).to.equal(undefined);
  });

  it("that tells of a failure is not hidden by what succeeds after it", async () => {
    const { app, clock } = await startApp();
    const shown = () => findShownToast(app.toasts.list$.value)?.text;
    app.toasts.show("error", "Failed to create mask");
    await clock.advance(3_000);
    app.toasts.show("success", "Email mask copied to clipboard");
    expect(shown()).to.equal("Failed to create mask");
    await clock.advance(2_000);
    expect(shown()).to.equal("Email mask copied to clipboard");
  });

  it("is kept open while it is read, and for its whole time afterwards", async () => {
    const { app, clock } = await startApp();
    app.toasts.show("info", "one");
    await clock.advance(3_000);
    app.toasts.keepOpen(true);
    await clock.advance(60_000);
    app.toasts.keepOpen(false);
    await clock.advance(4_999);
    expect(app.toasts.list$.value).to.have.length(1);
    await clock.advance(1);
    expect(app.toasts.list$.value).to.deep.equal([]);
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
    app.toasts.show("info", "Copied");
    app.toasts.show("success", "Copied");
    await clock.advance(3_000);
    app.toasts.show("success", "Copied");
    app.toasts.show("success", "Copied");
    expect(seen()).to.deep.equal([
      ["info", "Copied", 1],
      ["success", "Copied", 3],
    ]);
    await clock.advance(4_999);
    expect(seen()).to.have.length(2);
    await clock.advance(1);
    expect(seen()).to.deep.equal([["info", "Copied", 1]]);
    app.toasts.show("success", "Copied");
    expect(seen()).to.deep.equal([
      ["info", "Copied", 1],
      ["success", "Copied", 1],
    ]);
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
