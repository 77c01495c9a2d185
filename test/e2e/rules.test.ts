import { expect } from "chai";
import type { Locator, Page } from "playwright-core";
import { until } from "../server/support/until.ts";
import { expectAccessible } from "../support/accessible.ts";
import { tabLink } from "../support/tabLink.ts";
import { sendMail } from "./support/mail.ts";
import { useProduct } from "./support/product.ts";
import { mailInOutbox } from "./support/server.ts";
import { createMask, pressUntil, type Visitor } from "./support/visitor.ts";

const choose = async (page: Page, within: Locator, name: string, option: string): Promise<void> => {
  await within.getByRole("button", { name }).click();
  await page.getByRole("option", { name: option, exact: true }).click();
};

const chooseMask = async (page: Page, name: string): Promise<void> => {
  await page.getByRole("main").getByRole("button", { name: "Mask" }).click();
  await page.getByRole("option", { name: new RegExp(`^${name}`) }).click();
};

const tagOrders = async (page: Page, dialog: Locator): Promise<void> => {
  await dialog.getByRole("textbox", { name: "Rule Name" }).fill("Orders");
  await choose(page, dialog, "Rule Type", "Content filter");
  await choose(page, dialog, "Condition 1: field", "Subject");
  await choose(page, dialog, "Condition 1: operator", "contains");
  await dialog.getByRole("textbox", { name: "Condition 1: value" }).fill("order, invoice");
  await choose(page, dialog, "Action 1: what happens", "Tag");
  await dialog.getByRole("textbox", { name: "Tag" }).fill("Shopping");
};

describe("rules, in a real browser", () => {
  const { server, visitAs } = useProduct();
  const openRules = async ({ page }: Visitor): Promise<void> => {
    await tabLink(page, "Rules").click();
    await page.getByRole("heading", { name: "Custom Rules" }).waitFor();
  };

  it("are created, tested and applied on a wide and a narrow screen", async () => {
    const visitor = await visitAs("rules@example.org");
    const { page } = visitor;
    const look = (where: string): Promise<void> => expectAccessible(page, where);
    const address = await createMask(page, "Corner Shop");
    await openRules(visitor);
    await page.getByText("No rules for this mask yet.").waitFor();
    await look("a mask without rules");

    await page.getByRole("button", { name: "Add First Rule" }).click();
    const dialog = page.getByRole("dialog", { name: "Create New Rule" });
    await dialog.getByRole("button", { name: "Remove condition 1" }).click();
    await dialog.getByText('No conditions defined yet. Click "Add Condition" to get started.').waitFor();
    await dialog.getByRole("button", { name: "Add Condition" }).click();
    await dialog.getByRole("textbox", { name: "Rule Name" }).fill("");
    await dialog.getByRole("button", { name: "Save Rule" }).click();
    await dialog.getByText("Rule name is required").first().waitFor();
    await tagOrders(page, dialog);
    await look("the editor");
    await dialog.getByRole("button", { name: "Test an email" }).click();
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

  it("block a word in the subject with two presses and one text, named by what they do", async () => {
    const visitor = await visitAs("quick@example.org");
    const { page } = visitor;
    await createMask(page, "Corner Shop");
    await openRules(visitor);
    let presses = 0;
    const press = async (name: string): Promise<void> => {
      presses += 1;
      await page.getByRole("button", { name }).click();
    };
    await press("Create Rule");
    const value = page.getByRole("textbox", { name: "Condition 1: value" });
    await until("the text can be typed", () => value.evaluate((one) => one === document.activeElement));
    await page.keyboard.type("sale");
    const dialog = page.getByRole("dialog", { name: "Create New Rule" });
    expect(await dialog.getByRole("textbox", { name: "Rule Name" }).inputValue()).to.equal(
      "Block if subject contains sale",
    );
    await dialog.getByRole("button", { name: "Rule Type" }).getByText("Content filter").waitFor();
    await press("Save Rule");
    const card = page.getByRole("listitem", { name: "Block if subject contains sale" });
    await card.getByText("If subject contains sale then block").waitFor();
    expect(presses).to.be.at.most(4);
    expect(visitor.complaints).to.deep.equal([]);
  });

  it("compare what is found by a part of its name, and say what they measure", async () => {
    const visitor = await visitAs("fields@example.org");
    const { page } = visitor;
    await createMask(page, "Corner Shop");
    await openRules(visitor);
    await page.getByRole("button", { name: "Create Rule" }).press("Enter");
    const dialog = page.getByRole("dialog", { name: "Create New Rule" });
    await dialog.getByRole("button", { name: "Condition 1: field" }).press("Enter");
    const search = page.getByRole("combobox", { name: "Search the fields" });
    await search.waitFor();
    await expectAccessible(page, "all fields");
    await search.fill("open");
    await expectAccessible(page, "the search for a field");
    const found = page.getByRole("option");
    expect(await found.allInnerTexts()).to.have.lengthOf(1);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await dialog.getByRole("button", { name: "Condition 1: field" }).getByText("Open rate").waitFor();
    await dialog.getByText(/How much of the mask's mail was forwarded/).waitFor();
    await dialog.getByRole("spinbutton", { name: "Condition 1: value" }).fill("20");
    expect(await dialog.getByRole("textbox", { name: "Rule Name" }).inputValue()).to.equal(
      "Block if share of mail forwarded is more than 20%",
    );
    expect(visitor.complaints).to.deep.equal([]);
  });

  it("hold mail by a group of conditions, and are duplicated, on a wide and a narrow screen", async () => {
    const visitor = await visitAs("groups@example.org");
    const { page } = visitor;
    const address = await createMask(page, "Corner Shop");
    await openRules(visitor);
    await page.getByRole("button", { name: "Add First Rule" }).click();
    const dialog = page.getByRole("dialog", { name: "Create New Rule" });
    await dialog.getByRole("textbox", { name: "Rule Name" }).fill("Ask me");
    await choose(page, dialog, "Rule Type", "Content filter");
    await dialog.getByRole("button", { name: "Remove condition 1" }).press("Enter");
    await dialog.getByRole("button", { name: "Add group", exact: true }).press("Enter");
    await choose(page, dialog, "Condition 1.1: field", "Header…");
    await dialog.getByRole("combobox", { name: "Condition 1.1: header" }).fill("X-Priority");
    await dialog.getByRole("textbox", { name: "Condition 1.1: value" }).fill("1");
    await dialog.getByRole("button", { name: "Add condition to group 1" }).press("Enter");
    await choose(page, dialog, "Condition 1.2: field", "Subject");
    await dialog.getByRole("textbox", { name: "Condition 1.2: value" }).fill("order");
    await choose(page, dialog, "Action 1: what happens", "Hold for my decision");
    await expectAccessible(page, "the editor with a group");
    await dialog.getByRole("button", { name: "Test an email" }).click();
    await dialog
      .getByRole("textbox", { name: "Mail" })
      .fill("From: a@shop.example.org\nX-Priority: 1\nSubject: Hello\n\nHello");
    await dialog.getByText("The email is held until you decide. Once released:").waitFor();
    await expectAccessible(page, "the explanation of a group");
    await dialog.getByRole("button", { name: "Save Rule" }).click();
    await page.getByText("Rule created successfully").first().waitFor();
    const card = page.getByRole("listitem", { name: "Ask me", exact: true });
    await card
      .getByText(
        "If any of (header X-Priority contains 1 or subject contains order) then hold for my decision",
      )
      .waitFor();
    await sendMail(server, address);
    await card.getByText(/Applied once, last just now/).waitFor();
    await page.getByRole("button", { name: "Options for Ask me", exact: true }).press("Enter");
    await page.getByRole("menuitem", { name: "Duplicate" }).press("Enter");
    const copy = page.getByRole("listitem", { name: "Ask me (copy)" });
    await copy.getByText("Not applied yet").waitFor();
    expect(await copy.getByRole("switch").isChecked()).to.equal(false);
    await expectAccessible(page, "a rule and its copy");
    expect(visitor.complaints).to.deep.equal([]);
  });

  it("are exported as Sieve and imported again, on a wide and a narrow screen", async () => {
    const visitor = await visitAs("sieve@example.org");
    const { page } = visitor;
    await createMask(page, "Corner Shop");
    await openRules(visitor);
    await page.getByRole("button", { name: "Apply Shopping" }).click();
    await page.getByText("Shopping template applied successfully").waitFor();
    await page.getByRole("button", { name: "Show as Sieve" }).press("Enter");
    const script = await page.getByRole("textbox", { name: "Sieve script" }).inputValue();
    expect(script).to.contain("# rule:[Tag order confirmations]");
    await page
      .getByRole("textbox", { name: "Script", exact: true })
      .fill(`${script}\nif envelope "from" "a@b.example" { discard; }\n`);
    await page.getByText(/^Line \d+: left out with all that is in it; .*“envelope”/).waitFor();
    await page.getByRole("list", { name: "Rules in the script" }).getByText("Block flash sales").waitFor();
    await expectAccessible(page, "the export and the import");
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save as a file" }).click();
    expect((await saved).suggestedFilename()).to.equal("rules.sieve");
    await page.getByRole("button", { name: "Add 2 rules" }).press("Enter");
    await page.getByText("Rules imported").first().waitFor();
    const list = page.getByRole("list", { name: /^Rules, in the order/ });
    expect(await list.getByRole("heading").allInnerTexts()).to.deep.equal([
      "Block flash sales",
      "Tag order confirmations",
      "Block flash sales",
      "Tag order confirmations",
    ]);
    await page.getByRole("textbox", { name: "Script", exact: true }).fill("if {");
    await page.getByText("Line 1: } is missing.").waitFor();
    expect(visitor.complaints).to.deep.equal([]);
  });

  it("are made from a held mail and from a sender, and applied to another mask, on a wide and a narrow screen", async () => {
    const visitor = await visitAs("made@example.org");
    const { page } = visitor;
    const address = await createMask(page, "Corner Shop");
    await createMask(page, "Book Shop");
    await openRules(visitor);
    await chooseMask(page, "Corner Shop");
    await page.getByRole("button", { name: "Create Rule" }).click();
    const dialog = page.getByRole("dialog", { name: "Create New Rule" });
    await tagOrders(page, dialog);
    await dialog.getByRole("button", { name: "Add Action" }).click();
    await choose(page, dialog, "Action 2: what happens", "Hold for my decision");
    await dialog.getByRole("button", { name: "Save Rule" }).click();
    await page.getByText("Rule created successfully").first().waitFor();
    await sendMail(server, address);
    await page.getByRole("button", { name: "Notifications, 1 unread" }).click();
    await page.getByText("Mail to “Corner Shop” is held, because a rule says so.").last().waitFor();
    await page
      .getByRole("button", { name: "Create a rule for mail from orders@shop.example.org" })
      .press("Enter");
    expect(await dialog.getByRole("textbox", { name: "Condition 1: value" }).inputValue()).to.equal(
      "orders@shop.example.org",
    );
    await expectAccessible(page, "a rule made from a notification");
    await choose(page, dialog, "Action 1: what happens", "Block");
    await dialog.getByRole("button", { name: "Cancel" }).press("Enter");
    await dialog.getByRole("button", { name: "Discard" }).press("Enter");
    await dialog.waitFor({ state: "hidden" });
    // The notification is closed by then, so the focus is on what is nearest.
    await until("the focus is not lost", () => page.evaluate(() => document.activeElement !== document.body));
    await pressUntil(
      page.getByRole("button", { name: /^Notifications/ }),
      page.getByRole("link", { name: "Show held mail" }),
    );
    await page.getByRole("link", { name: "Show held mail" }).click();
    await page.getByText("A rule of the mask holds this email for your decision.").waitFor();
    await page
      .getByRole("button", { name: "Create a rule for mail from orders@shop.example.org" })
      .press("Enter");
    expect(await dialog.getByRole("textbox", { name: "Rule Name" }).inputValue()).to.equal(
      "Mail from Corner Shop",
    );
    await expectAccessible(page, "a rule made from a held mail");
    await choose(page, dialog, "Action 1: what happens", "Block");
    await dialog.getByRole("button", { name: "Save Rule" }).press("Enter");
    await page.getByText("Rule created successfully").first().waitFor();

    await tabLink(page, "Insights").click();
    await page.getByRole("button", { name: "Create a rule for mail from shop.example.org" }).press("Enter");
    expect(await dialog.getByRole("textbox", { name: "Condition 1: value" }).inputValue()).to.equal(
      "shop.example.org",
    );
    await expectAccessible(page, "a rule made from a sender");
    await page.keyboard.press("Escape");

    await openRules(visitor);
    await page.getByRole("button", { name: "Options for Mail from Corner Shop" }).press("Enter");
    await page.getByRole("menuitem", { name: "Apply to other masks" }).press("Enter");
    const apply = page.getByRole("dialog", { name: "Apply “Mail from Corner Shop” to other masks" });
    await apply.getByRole("combobox", { name: "Which masks" }).fill("nothing like this");
    await apply.getByText("No other mask matches.").waitFor();
    await apply.getByRole("combobox", { name: "Which masks" }).fill("book");
    await expectAccessible(page, "the choice of other masks");
    await page.keyboard.press("Enter");
    await page.getByText("1 mask given the rules").first().waitFor();
    await chooseMask(page, "Book Shop");
    await page.getByRole("listitem", { name: "Mail from Corner Shop" }).waitFor();
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
