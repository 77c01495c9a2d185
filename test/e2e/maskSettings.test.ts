import { expect } from "chai";
import type { Locator, Page } from "playwright-core";
import { expectAccessible } from "../support/accessible.ts";
import { choose } from "./support/choose.ts";
import { sendMail } from "./support/mail.ts";
import { useProduct } from "./support/product.ts";
import { createMask, maskCard } from "./support/visitor.ts";

const openEditor = async (page: Page, description: string): Promise<Locator> => {
  await page.getByRole("button", { name: `Options for ${description}` }).press("Enter");
  await page.getByRole("menuitem", { name: "Edit mask" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Edit Mask" });
  await dialog.waitFor();
  return dialog;
};

/** Opens a group of the editor's fields with the keyboard. */
const openGroup = (editor: Locator, title: string): Promise<void> =>
  editor.locator("summary", { hasText: title }).press("Enter");

const save = async (page: Page, dialog: Locator): Promise<void> => {
  await dialog.getByRole("button", { name: "Save Changes" }).press("Enter");
  await dialog.waitFor({ state: "hidden" });
  await page.getByText("Mask updated successfully").waitFor();
};

/** The held mails of a mask, from the menu of its card. */
const openHeld = async (page: Page, description: string): Promise<Locator> => {
  await page.getByRole("button", { name: `Options for ${description}` }).press("Enter");
  await page.getByRole("menuitem", { name: "Held mail" }).press("Enter");
  return page.getByRole("list", { name: "Held mail" }).getByRole("listitem");
};

describe("what a mask does with its mail, in a real browser", () => {
  const { server, visitAs } = useProduct();

  it("is held while the mask is off, by keyboard, on a wide and a narrow screen", async () => {
    const visitor = await visitAs("off@example.org");
    const { page } = visitor;
    const address = await createMask(page, "Corner Shop");
    const dialog = await openEditor(page, "Corner Shop");
    await openGroup(dialog, "Lifetime");
    await dialog
      .getByRole("checkbox", { name: "Notify me of mail while the mask is switched off" })
      .waitFor();
    await choose(page, dialog.getByRole("button", { name: "While it is switched off" }), "Hold mail");
    await openGroup(dialog, "Appearance");
    await choose(page, dialog.getByRole("button", { name: "Show senders as" }), "Name and description");
    await expectAccessible(page, "what happens to mail of a mask that is off");
    await save(page, dialog);
    const saved = page.waitForResponse((answer) => answer.request().method() === "PUT");
    await maskCard(page, "Corner Shop").getByRole("switch").press("Space");
    await maskCard(page, "Corner Shop").getByText("Switched off: mail is held").waitFor();
    await saved;
    await sendMail(server, address);
    const again = await openEditor(page, "Corner Shop");
    await openGroup(again, "Appearance");
    await again.getByRole("button", { name: "Show senders as" }).getByText("Name and description").waitFor();
    await again.press("Escape");
    const mail = await openHeld(page, "Corner Shop");
    await mail.getByText("The mask was switched off when this email came.").waitFor();
    await expectAccessible(page, "mail that came while its mask was off");
    await mail.getByRole("button", { name: "Release" }).press("Enter");
    await page.getByText("No mail is held").waitFor();
    expect(visitor.complaints).to.deep.equal([]);
  });

  it("is held from senders whom its owner has not allowed, by keyboard, on a wide and a narrow screen", async () => {
    const visitor = await visitAs("senders@example.org");
    const { page } = visitor;
    const address = await createMask(page, "Corner Shop");
    const dialog = await openEditor(page, "Corner Shop");
    await openGroup(dialog, "Who may write");
    await choose(page, dialog.getByRole("button", { name: "Who may write" }), "Those I approve");
    await dialog.getByRole("textbox", { name: "Blocked senders" }).fill("nobody");
    await dialog.getByRole("button", { name: "Save Changes" }).press("Enter");
    await dialog.getByText("Each line is an email address or a domain").waitFor();
    await expectAccessible(page, "who may write to a mask");
    await dialog.getByRole("textbox", { name: "Blocked senders" }).fill("spam.example\nx@ads.example");
    await save(page, dialog);
    await sendMail(server, address);
    const mail = await openHeld(page, "Corner Shop");
    await mail.getByText("You have not allowed the sender at this mask yet.").waitFor();
    await expectAccessible(page, "mail of an unknown sender");
    await mail.getByRole("button", { name: "Always allow" }).press("Enter");
    await page.getByText("No mail is held").waitFor();
    await page.getByRole("link", { name: "Back" }).press("Enter");
    const again = await openEditor(page, "Corner Shop");
    await openGroup(again, "Who may write");
    expect(await again.getByRole("textbox", { name: "Allowed senders" }).inputValue()).to.contain("@");
    expect(await again.getByRole("textbox", { name: "Blocked senders" }).inputValue()).to.equal(
      "spam.example\nx@ads.example",
    );
    expect(visitor.complaints).to.deep.equal([]);
  });

  it("expires after a mail, which its card says before, by keyboard, on a wide and a narrow screen", async () => {
    const visitor = await visitAs("expiry@example.org");
    const { page } = visitor;
    const address = await createMask(page, "Corner Shop");
    const dialog = await openEditor(page, "Corner Shop");
    await openGroup(dialog, "Lifetime");
    await dialog.getByRole("textbox", { name: "Expires after emails" }).fill("0");
    await dialog.getByRole("button", { name: "Save Changes" }).press("Enter");
    await dialog.getByText("Enter a number from 1 to 999,999").waitFor();
    await dialog.getByRole("textbox", { name: "Expires after emails" }).fill("1");
    await dialog.getByLabel("Expires at the end of").fill("2100-01-31");
    await choose(page, dialog.getByRole("button", { name: "What happens then" }), "Hold its mail");
    await expectAccessible(page, "when a mask expires");
    await save(page, dialog);
    const card = maskCard(page, "Corner Shop");
    await card.getByText(/^Expires in [\d,]+ days or after 1 more email$/).waitFor();
    await page.getByText("Mask updated successfully").waitFor({ state: "hidden" });
    await expectAccessible(page, "a mask that expires");
    const again = await openEditor(page, "Corner Shop");
    await openGroup(again, "Lifetime");
    expect(await again.getByLabel("Expires at the end of").inputValue()).to.equal("2100-01-31");
    await page.keyboard.press("Escape");
    await again.waitFor({ state: "hidden" });
    await sendMail(server, address);
    await card.getByText("Switched off: mail is held").waitFor();
    await page.getByRole("button", { name: "Notifications, 1 unread" }).click();
    await page
      .getByText(/has expired: it has received its email\./)
      .last()
      .waitFor();
    expect(visitor.complaints).to.deep.equal([]);
  });

  it("goes to several addresses, by keyboard, on a wide and a narrow screen", async () => {
    const visitor = await visitAs("several@example.org");
    const { page } = visitor;
    await createMask(page, "Corner Shop");
    const dialog = await openEditor(page, "Corner Shop");
    const further = dialog.getByRole("textbox", { name: "Also forward to" });
    await further.fill("nobody");
    await dialog.getByRole("button", { name: "Save Changes" }).press("Enter");
    await dialog.getByText("Please enter a valid email address").waitFor();
    await expectAccessible(page, "several destinations");
    await further.fill("second@example.org\nthird@example.org");
    await save(page, dialog);
    await maskCard(page, "Corner Shop")
      .getByText(/, 2 not confirmed$/)
      .waitFor();
    await page.reload();
    await maskCard(page, "Corner Shop")
      .getByText(/, 2 not confirmed$/)
      .waitFor();
    const again = await openEditor(page, "Corner Shop");
    expect(await again.getByRole("textbox", { name: "Also forward to" }).inputValue()).to.equal(
      "second@example.org\nthird@example.org",
    );
    expect(visitor.complaints).to.deep.equal([]);
  });
});
