import "../../support/dom.ts";
import { expect } from "chai";
import { useDom } from "../../support/jsdom.ts";
import { closePages } from "../support/openPage.tsx";
import { openTab } from "../support/openTab.ts";

describe("The settings tab", () => {
  useDom();
  afterEach(closePages);

  it("chooses the theme (SG1)", async () => {
    const { panel, user, page } = await openTab("Settings");
    const dark = panel.getByRole<HTMLInputElement>("switch", { name: "Dark theme" });
    expect(dark.checked).to.equal(false);
    await user.click(dark);
    expect(page.shownTheme()).to.equal("dark");
    expect(dark.checked).to.equal(true);
  });
});
