import { expect } from "chai";
import type { Locator, Page } from "playwright-core";
import { expectAccessible } from "../support/accessible.ts";
import { sendMail } from "./support/mail.ts";
import { useProduct } from "./support/product.ts";
import { mailInOutbox } from "./support/server.ts";
import { createMask, twoScreens, type Visitor } from "./support/visitor.ts";

const choose = async (page: Page, within: Locator, name: string, option: string): Promise<void> => {
  await within.getByRole("button", { name }).click();
  await page.getByRole("option", { name: option, exact: true }).click();
};

const tagOrders = async (page: Page, dialog: Locator): Promise<void> => {
  await dialog.getByRole("textbox", { name: "Rule Name" }).fill("Orders");
  await choose(page, dialog, "Rule Type", "Content filter");
  await dialog.getByRole("button", { name: "Add Condition" }).click();
  await choose(page, dialog, "Condition 1: field", "Subject");
  await choose(page, dialog, "Condition 1: operator", "contains");
  await dialog.getByRole("textbox", { name: "Condition 1: value" }).fill("order, invoice");
  await dialog.getByRole("button", { name: "Add Action" }).click();
  await choose(page, dialog, "Action 1: what happens", "Tag");
  await dialog.getByRole("textbox", { name: "Tag" }).fill("Shopping");
};

describe("rules, in a real browser", () => {
  const { server, visitAs } = useProduct();
  const openRules = async ({ page }: Visitor): Promise<void> => {
    await page.getByRole("tab", { name: "Rules" }).click();
    await page.getByRole("heading", { name: "Custom Rules" }).waitFor();
  };

  for (const screen of twoScreens)
    it(`are created, tested and applied on a ${screen.theme} screen of ${screen.width} px`, async () => {
      const visitor = await visitAs(`rules.${screen.theme}@example.org`, screen);
      const { page } = visitor;
      const look = (where: string): Promise<void> => expectAccessible(page, where);
      const address = await createMask(page, "Corner Shop");
      await openRules(visitor);
      await page.getByText("No rules for this mask yet.").waitFor();
      await look("a mask without rules");

      await page.getByRole("button", { name: "Add First Rule" }).click();
      const dialog = page.getByRole("dialog", { name: "Create New Rule" });
      await dialog.getByText('No conditions defined yet. Click "Add Condition" to get started.').waitFor();
      await dialog.getByRole("button", { name: "Save Rule" }).click();
      await dialog.getByText("Rule name is required").first().waitFor();
      await tagOrders(page, dialog);
      await look("the editor");
      await dialog.getByRole("button", { name: "Test a mail" }).click();
      await dialog
        .getByRole("textbox", { name: "Mail" })
        .fill("From: a@shop.example.org\nSubject: Your order\n\nHello");
      await dialog.getByText("It is tagged Shopping.").waitFor();
      await look("the editor with a mail tried");
      await dialog.getByRole("button", { name: "Save Rule" }).click();
      await page.getByText("Rule created successfully").waitFor();
      const card = page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: "Orders" }) });
      await card.getByText("Not applied yet").waitFor();
      await look("a rule");

      await sendMail(server, address);
      await card.getByText(/Applied once, last just now/).waitFor();
      const mine = await mailInOutbox(server, `X-Bauta-Mask: ${address}`);
      expect(mine).to.contain("Subject: [Shopping] Your order is on its way");
      expect(mine).to.contain("X-Bauta-Tags: Shopping");
      expect(visitor.complaints).to.deep.equal([]);
    });

  it("are reordered by the arrow keys, edited, and deleted after a confirmation", async () => {
    const visitor = await visitAs("order@example.org");
    const { page } = visitor;
    await createMask(page, "Corner Shop");
    await openRules(visitor);
    await page.getByRole("button", { name: "Apply Shopping" }).click();
    await page.getByText("Shopping template applied successfully").waitFor();
    const names = (): Promise<readonly string[]> =>
      page
        .getByRole("list", { name: /^Rules, in the order/ })
        .getByRole("heading")
        .allInnerTexts();
    expect(await names()).to.deep.equal(["Block flash sales", "Tag order confirmations"]);
    await page.getByRole("button", { name: /^Move Tag order confirmations/ }).focus();
    await page.keyboard.press("ArrowUp");
    await page.getByText("Tag order confirmations is now 1 of 2").waitFor({ state: "attached" });
    expect(await names()).to.deep.equal(["Tag order confirmations", "Block flash sales"]);

    await page.getByRole("button", { name: "Edit Tag order confirmations" }).click();
    const dialog = page.getByRole("dialog", { name: "Edit Rule" });
    await dialog.getByRole("textbox", { name: "Rule Name" }).fill("Orders");
    await dialog.getByRole("button", { name: "Save Rule" }).click();
    await page.getByText("Rule updated successfully").waitFor();
    await page.getByRole("button", { name: "Edit Orders" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete Rule" }).click();
    const question = page.getByRole("alertdialog");
    await question
      .getByText("Are you sure you want to delete this rule? This action cannot be undone.")
      .waitFor();
    await question.getByRole("button", { name: "Delete" }).click();
    await page.getByText("Rule deleted successfully").waitFor();
    expect(await names()).to.deep.equal(["Block flash sales"]);
    expect(visitor.complaints).to.deep.equal([]);
  });
});
