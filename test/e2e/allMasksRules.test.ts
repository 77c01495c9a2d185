import { expect } from "chai";
import type { Locator, Page } from "playwright-core";
import { expectAccessible } from "../support/accessible.ts";
import { tabLink } from "../support/tabLink.ts";
import { sendMail } from "./support/mail.ts";
import { useProduct } from "./support/product.ts";
import { createMask, type Visitor } from "./support/visitor.ts";

const choose = async (page: Page, within: Locator, name: string, option: string): Promise<void> => {
  await within.getByRole("button", { name }).click();
  await page.getByRole("option", { name: option, exact: true }).click();
};

const chooseMask = async (page: Page, name: string): Promise<void> => {
  await page.getByRole("main").getByRole("button", { name: "Mask" }).first().click();
  await page.getByRole("option", { name: new RegExp(`^${name}`) }).click();
};

const before = "Before the rules of each mask";
const after = "After the rules of each mask";

describe("rules for all masks, in a real browser", () => {
  const { server, visitAs } = useProduct();
  const openRules = async ({ page }: Visitor): Promise<void> => {
    await tabLink(page, "Rules").click();
    await page.getByRole("heading", { name: "Custom Rules" }).waitFor();
  };

  it("are asked before and after those of a mask, on a wide and a narrow screen", async () => {
    const visitor = await visitAs("all@example.org");
    const { page } = visitor;
    const address = await createMask(page, "Corner Shop");
    await openRules(visitor);
    await chooseMask(page, "All masks");
    await page.getByText("No rules for all masks yet.").waitFor();
    await expectAccessible(page, "all masks without rules");

    await page.getByRole("button", { name: "Create Rule" }).press("Enter");
    const dialog = page.getByRole("dialog", { name: "Create New Rule" });
    await dialog.getByRole("button", { name: /^All masks/ }).waitFor();
    await dialog.getByRole("textbox", { name: "Rule Name" }).fill("Orders of shops");
    await choose(page, dialog, "Rule Type", "Content filter");
    await choose(page, dialog, "Condition 1: field", "Subject");
    await dialog.getByRole("textbox", { name: "Condition 1: value" }).fill("order");
    await choose(page, dialog, "Action 1: what happens", "Tag");
    await dialog.getByRole("textbox", { name: "Tag" }).fill("Shopping");
    await dialog.getByRole("button", { name: "Test an email" }).click();
    await dialog
      .getByRole("textbox", { name: "Mail" })
      .fill("From: a@shop.example.org\nSubject: Your order\n\nHello");
    await dialog.getByText("It is tagged Shopping.").waitFor();
    await dialog.getByRole("button", { name: "Save Rule" }).click();
    await page.getByText("Rule created successfully").first().waitFor();
    await page.getByText(/^An email is compared with the rules before/).waitFor();
    const first = page.getByRole("region", { name: before });
    const last = page.getByRole("region", { name: after });
    const card = first.getByRole("listitem", { name: "Orders of shops", exact: true });
    await card.getByText("Not applied yet").waitFor();

    await page.getByRole("button", { name: "Options for Orders of shops", exact: true }).press("Enter");
    await page.getByRole("menuitem", { name: "Duplicate" }).press("Enter");
    await first.getByRole("listitem", { name: "Orders of shops (copy)" }).waitFor();
    await page.getByRole("button", { name: "Move Orders of shops (copy), 2 of 2" }).press("ArrowUp");
    await page.getByText("Orders of shops (copy) is now 1 of 2").waitFor({ state: "attached" });
    expect(await first.getByRole("heading", { level: 2 }).allInnerTexts()).to.deep.equal([
      before,
      "Orders of shops (copy)",
      "Orders of shops",
    ]);
    await last.getByText("No rules here yet.").waitFor();
    await expectAccessible(page, "all masks with rules");

    await sendMail(server, address);
    await card.getByText(/Applied once, last just now/).waitFor();

    await chooseMask(page, "Corner Shop");
    await page.getByText("1 rule for all masks applies.").waitFor();
    await page.getByRole("button", { name: "Test an email" }).press("Enter");
    await page
      .getByRole("textbox", { name: "Mail" })
      .fill("From: a@shop.example.org\nSubject: Your order\n\nHello");
    await page.getByText("It is tagged Shopping.").waitFor();
    const why = page.getByRole("list", { name: "Why" });
    await why.getByText("All masks").first().waitFor();
    await expectAccessible(page, "the test of a mask's mail on all rules");
    await page.getByRole("link", { name: "Show them" }).press("Enter");
    await card.waitFor();
    expect(page.url()).to.match(/#rules\/all$/);
    await page.reload();
    await card.waitFor();
    expect(visitor.complaints).to.deep.equal([]);
  });

  it("are created with four presses and one text", async () => {
    const visitor = await visitAs("four@example.org");
    const { page } = visitor;
    await createMask(page, "Corner Shop");
    await tabLink(page, "Rules").click();
    await page.getByRole("radio", { name: "All rules" }).check();
    await page.getByRole("button", { name: "Create Rule" }).click();
    const dialog = page.getByRole("dialog", { name: "Create New Rule" });
    await dialog.getByRole("button", { name: /^All masks/ }).waitFor();
    await page.keyboard.type("sale");
    await dialog.getByRole("button", { name: "Save Rule" }).click();
    await page.getByRole("listitem", { name: "Block if subject contains sale of All masks" }).waitFor();
    expect(visitor.complaints).to.deep.equal([]);
  });
});
