import "../../../support/dom.ts";
// Lazily loaded by the app; imported here so that loading it takes no time in the test.
import "../../../../web/features/masks/MaskAddress.ts";
import "../../../../web/features/masks/MaskDialogs.tsx";
import "../../../../web/features/masks/MasksTab.tsx";
import "../../../../web/features/rules/RuleOverview.tsx";
import "../../../../web/features/rules/form/RuleDialog.tsx";
import "../../../../web/ui/overlay/MenuPopup.tsx";
import { screen, within } from "@testing-library/react";
import { expect } from "chai";
import { accountListId, allMasks } from "../../../../core/rules/model/rulePlace.ts";
import { createMask } from "../../../fakes/productServer.ts";
import { useDom } from "../../../support/jsdom.ts";
import { closePages } from "../../support/openPage.tsx";
import { openTab } from "../../support/openTab.ts";
import { shownTab, tabLink } from "../../support/tabLink.ts";

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

  it("comes back to the view that one left, and to the mask", async () => {
    const page = await openTab("Rules", { masks: [createMask("shop"), createMask("news")] });
    const leaveAndReturn = async () => {
      await page.user.click(tabLink("Masks"));
      await page.user.click(tabLink("Rules"));
      await page.act(() => {});
    };
    const isOn = (view: string) => screen.getByRole<HTMLInputElement>("radio", { name: view }).checked;
    await page.act(() => page.app.rules.select("news"));
    await page.user.click(page.panel.getByRole("radio", { name: "All rules" }));
    await leaveAndReturn();
    expect(isOn("All rules")).to.equal(true);
    await page.user.click(screen.getByRole("radio", { name: "By mask" }));
    await leaveAndReturn();
    expect(isOn("By mask")).to.equal(true);
    screen.getByRole("button", { name: /news.*Mask/ });
  });

  it("creates a rule for what one came from, shows that first in its sentence, and offers all masks and labels", async () => {
    const page = await openTab("Rules", {
      masks: [createMask("shop"), createMask("news", { labels: ["Papers"] })],
    });
    const saved = async (scope: RegExp, word: string) => {
      const dialog = within(await screen.findByRole("dialog", { name: "Create New Rule" }));
      dialog.getByText("For");
      dialog.getByRole("button", { name: scope });
      await page.type("Condition 1: value", word);
      await page.press("Save Rule");
      await page.act(() => {});
    };
    const choose = async (option: RegExp) => {
      await page.user.click(await screen.findByRole("button", { name: /For which masks/ }));
      await page.user.click(await screen.findByRole("option", { name: option }));
    };
    await page.act(() => page.app.rules.select("news"));
    await page.press("Add First Rule");
    await saved(/news/, "one");
    expect(page.app.rules.rulesOf("news")).to.have.lengthOf(1);

    await page.user.click(screen.getByRole("radio", { name: "All rules" }));
    await page.press("Create Rule");
    await saved(/^All masks/, "two");
    const before = accountListId("before");
    expect(page.app.rules.rulesOf(before)).to.have.lengthOf(1);

    await page.user.click(screen.getByRole("radio", { name: "By mask" }));
    screen.getByText("1 rule for all masks runs before these.");
    await page.press("Create Rule");
    await choose(/Label “Papers”/);
    await saved(/^Label “Papers”/, "three");
    expect(page.app.rules.rulesOf(before)[1]).to.deep.include({ name: "Block if subject contains three" });
    expect(page.app.rules.rulesOf(before)[1]?.conditions).to.have.lengthOf(2);
    expect(page.app.rules.rulesOf(before)[1]?.conditions[0]).to.include({
      field: "maskLabel",
      operator: "equals",
      value: "Papers",
    });
    await screen.findByRole("listitem", { name: "Block if subject contains three" });
  });

  it("saves no rule for a label that is gone meanwhile, and asks for the masks again", async () => {
    const news = createMask("news", { labels: ["Papers"] });
    const page = await openTab("Rules", { masks: [createMask("shop"), news] });
    await page.user.click(page.panel.getByRole("radio", { name: "All rules" }));
    await page.press("Create Rule");
    await page.user.click(await screen.findByRole("button", { name: /For which masks/ }));
    await page.user.click(await screen.findByRole("option", { name: /Label “Papers”/ }));
    await page.act(() => page.server.on("GET", "/masks", { json: { masks: [{ ...news, labels: [] }] } }));
    await page.act(() => void page.app.masks.refresh()());
    await page.type("Condition 1: value", "casino");
    await page.press("Save Rule");
    await page.act(() => {});
    screen.getByText("No mask selected");
    expect(page.app.rules.rulesOf(accountListId("before"))).to.have.lengthOf(0);
  });

  it("has a button where there are no rules yet, and says truly what decides about the mail", async () => {
    const page = await openTab("Rules", { masks: [createMask("shop")] });
    screen.getByText("No rules for this mask yet.");
    await page.user.click(screen.getByRole("radio", { name: "All rules" }));
    await screen.findByText("No rules yet.");
    screen.getByRole("button", { name: "Add First Rule" });
    await page.act(() => page.app.rules.select(allMasks));
    screen.getByText("No rules for all masks yet.");
    screen.getByRole("button", { name: "Add First Rule" });
    await page.press("Apply Shopping");
    await page.act(() => page.app.rules.select("shop"));
    screen.getByText("No rules of its own.");
    screen.getByText(/2 rules for all masks apply\./);
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
