import { expect } from "chai";
import { startApp } from "../../fakes/appOnFakes.ts";

describe("The theme", () => {
  it("is the stored one, whatever the system prefers", async () => {
    const { app, page } = await startApp({
      before: (fakes) => {
        fakes.storage.local.write("theme", "light");
        fakes.page.systemTheme$.set("dark");
      },
    });
    expect(app.theme.theme$.value).to.equal("light");
    expect(page.shownTheme()).to.equal("light");
  });

  it("follows the system's theme where none is stored", async () => {
    const { app, page } = await startApp({ before: (fakes) => fakes.page.systemTheme$.set("dark") });
    expect(page.shownTheme()).to.equal("dark");
    page.systemTheme$.set("light");
    expect(app.theme.theme$.value).to.equal("light");
    expect(page.shownTheme()).to.equal("light");
  });

  it("is light where neither is known, and an unknown stored theme counts as none", async () => {
    const { app, storage } = await startApp({
      before: (fakes) => fakes.storage.local.write("theme", "sepia"),
    });
    expect(app.theme.theme$.value).to.equal("light");
    expect(storage.local.read("theme")).to.equal(null);
  });

  it("toggles, is written to the document and is stored", async () => {
    const { app, page, storage } = await startApp();
    app.theme.toggle();
    expect([page.shownTheme(), storage.local.read("theme")]).to.deep.equal(["dark", "dark"]);
    app.theme.toggle();
    expect([page.shownTheme(), storage.local.read("theme")]).to.deep.equal(["light", "light"]);
    page.systemTheme$.set("dark");
    expect(page.shownTheme()).to.equal("light");
  });

  it("follows a change in another tab", async () => {
    const { page, storage } = await startApp();
    storage.openTab().local.write("theme", "dark");
    expect(page.shownTheme()).to.equal("dark");
  });
});
