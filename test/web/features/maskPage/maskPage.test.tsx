import "../../../support/dom.ts";
import "../../../../web/features/maskPage/MaskPage.tsx";
import "../../../../web/features/mailLog/LogPage.tsx";
import { screen, waitFor, within } from "@testing-library/react";
import { expect } from "chai";
import { accountListId } from "../../../../core/rules/model/rulePlace.ts";
import { createMask } from "../../../fakes/productServer.ts";
import { useDom } from "../../../support/jsdom.ts";
import { closePages, type OpenPage, openMasks } from "../../support/openPage.tsx";

const shop = createMask("m1", { description: "Bookshop", active: false });

const openShop = async (options: Parameters<typeof openMasks>[0] = {}): Promise<OpenPage> => {
  const page = await openMasks({ masks: [shop], ...options });
  await page.act(() => {
    window.location.hash = "#mask?id=m1";
  });
  await screen.findByRole("heading", { level: 1, name: "Bookshop" });
  await page.act(() => {});
  return page;
};

describe("The page of a mask", () => {
  useDom();
  afterEach(closePages);

  it("names the mask in the title of the tab, until another place is shown", async () => {
    const page = await openShop();
    await waitFor(() => expect(document.title).to.equal("Bookshop · Mask · Bauta"));
    await page.act(() => {
      window.location.hash = "#log";
    });
    await waitFor(() => expect(document.title).to.equal("Log · Bauta"));
  });

  it("has in its head what can be done, and the switch", async () => {
    const page = await openShop();
    screen.getByText("Switched off");
    await page.user.click(screen.getByRole("switch", { name: "Bookshop forwards mail" }));
    await waitFor(() => expect(screen.queryByText("Switched off")).to.equal(null));
    const main = within(screen.getByRole("main"));
    const links = ["Reply or write", "Block a sender", "Held mail"].map((name) =>
      main.getAllByRole("link", { name })[0]?.getAttribute("href"),
    );
    expect(links).to.deep.equal(["#masks/m1/correspondents", "#masks/m1/block", "#held?mask=m1"]);
    await page.press("Edit mask");
    await screen.findByRole("dialog", { name: "Edit Mask" });
  });

  it("counts the rules for all masks beside those of its own", async () => {
    const page = await openShop();
    const { rules } = page.app;
    const before = accountListId("before");
    const card = within(screen.getByRole("region", { name: "Rules" }));
    card.getByText("No rules yet. A rule decides what happens to mail of this mask.");
    await page.act(() => void rules.applyTemplate("shopping_template", before)());
    card.getByText("No rules of its own. 2 rules for all masks apply.");
    const [first] = rules.rulesOf(before);
    await page.act(() => void rules.setEnabled(first?.id ?? "", false, before)());
    card.getByText("No rules of its own. 1 rule for all masks applies.");
    await page.act(() => void rules.applyTemplate("travel_template", "m1")());
    card.getByText("1 rule for all masks applies too.");
  });
});
