import "../../../support/dom.ts";
// Lazily loaded by the app; imported here so that loading it takes no time in the test.
import "../../../../web/ui/overlay/MenuPopup.tsx";
import { screen } from "@testing-library/react";
import { expect } from "chai";
import { createMask } from "../../../fakes/productServer.ts";
import { useDom } from "../../../support/jsdom.ts";
import { closePages } from "../../support/openPage.tsx";
import { openTab } from "../../support/openTab.ts";
import { shownTab } from "../../support/tabLink.ts";

describe("The rules tab", () => {
  useDom();
  afterEach(closePages);

  it("offers to create a first rule for the first mask, and templates to apply", async () => {
    const { panel } = await openTab("Rules", { masks: [createMask("shop")] });
    panel.getByRole("heading", { name: "Custom Rules" });
    panel.getByRole("button", { name: "Create Rule" });
    panel.getByRole("button", { name: "Add First Rule" });
    for (const name of ["Shopping", "Professional", "Travel"])
      panel.getByRole("button", { name: `Apply ${name}` });
  });

  it("moves a rule by the menu of its drag handle, or by the arrow keys on it", async () => {
    const page = await openTab("Rules", { masks: [createMask("shop")] });
    await page.press("Apply Shopping");
    const names = () =>
      page.panel.getAllByRole("heading", { level: 2 }).map(({ textContent }) => textContent);
    const rules = () => names().slice(0, 2);
    expect(rules()).to.deep.equal(["Block flash sales", "Tag order confirmations"]);
    const handle = () => page.panel.getByRole("button", { name: "Move Tag order confirmations, 2 of 2" });
    expect(document.getElementById(handle().getAttribute("aria-describedby") ?? "")?.textContent).to.match(
      /up or down arrow/,
    );

    await page.user.click(handle());
    await page.user.click(await screen.findByRole("menuitem", { name: "Move up" }));
    await page.act(() => {});
    expect(rules()).to.deep.equal(["Tag order confirmations", "Block flash sales"]);
    expect(document.activeElement?.getAttribute("aria-label")).to.equal(
      "Move Tag order confirmations, 1 of 2",
    );

    await page.user.keyboard("{ArrowDown}");
    await page.act(() => {});
    expect(rules()).to.deep.equal(["Block flash sales", "Tag order confirmations"]);
    expect(screen.queryByRole("menu")).to.equal(null);
    expect(document.activeElement).to.equal(handle());
  });

  it("explains what to do first to a user without masks", async () => {
    const { panel, user } = await openTab("Rules", { masks: [] });
    panel.getByText("You don't have any email masks yet.");
    panel.getByText("Create one to give it rules.");
    expect(panel.queryByRole("button", { name: "Create Rule" })).to.equal(null);
    await user.click(panel.getByRole("link", { name: "Create your first mask" }));
    await screen.findByRole("dialog", { name: "Create Mask" });
    await user.keyboard("{Escape}");
    expect(shownTab()).to.equal("Masks");
  });
});
