import { expect } from "chai";
import { expectAccessible } from "../support/accessible.ts";
import { choose } from "./support/choose.ts";
import { useProduct } from "./support/product.ts";
import { createMask, maskCard, openSettings } from "./support/visitor.ts";

describe("labels and addresses, in a real browser", () => {
  const { visitAs } = useProduct();

  it("labels are named by the card, colored and deleted, by keyboard, on a wide and a narrow screen", async () => {
    const visitor = await visitAs("labels@example.org");
    const { page } = visitor;
    await createMask(page, "Corner Shop");
    await page.getByRole("button", { name: "Labels", exact: true }).press("Enter");
    const dialog = page.getByRole("dialog", { name: "Labels" });
    await dialog.getByText("No labels yet").waitFor();
    await dialog.getByRole("textbox", { name: "New label" }).fill("shops");
    await dialog.getByRole("textbox", { name: "New label" }).press("Enter");
    await dialog.getByRole("button", { name: "Edit label shops" }).press("Enter");
    await choose(page, dialog.getByRole("button", { name: /Color/ }), "Purple");
    await expectAccessible(page, "the form of a label");
    await dialog.getByRole("button", { name: "Save" }).press("Enter");
    await dialog.getByRole("checkbox", { name: "shops" }).waitFor();
    await expectAccessible(page, "the labels");
    await dialog.getByRole("button", { name: "Done" }).press("Enter");
    await dialog.waitFor({ state: "hidden" });
    await page.getByRole("button", { name: "Options for Corner Shop" }).press("Enter");
    await page.getByRole("menuitem", { name: "Edit mask" }).press("Enter");
    const editor = page.getByRole("dialog", { name: "Edit Mask" });
    await editor.locator("summary", { hasText: "Appearance" }).press("Enter");
    await editor.getByRole("combobox", { name: "Labels" }).fill("shops");
    await editor.getByRole("button", { name: "Save Changes" }).press("Enter");
    await editor.waitFor({ state: "hidden" });
    const label = maskCard(page, "Corner Shop").getByRole("button", { name: "shops" });
    await label.waitFor();
    const [dot, text] = await label.evaluate((element) => [
      getComputedStyle(element, "::before").backgroundColor,
      getComputedStyle(element).color,
    ]);
    expect(dot, "the color of the label").not.to.equal(text);
    await expectAccessible(page, "a card with a colored label");
    await page.getByRole("button", { name: "Labels", exact: true }).press("Enter");
    await dialog.getByRole("button", { name: "Delete label shops" }).press("Enter");
    await dialog.getByRole("button", { name: "Delete", exact: true }).press("Enter");
    await dialog.getByText("No labels yet").waitFor();
    await dialog.getByRole("button", { name: "Done" }).press("Enter");
    await label.waitFor({ state: "detached" });
    expect(visitor.complaints).to.deep.equal([]);
  });

  it("an address is added, named and removed, by keyboard, on a wide and a narrow screen", async () => {
    const visitor = await visitAs("addresses@example.org");
    const { page } = visitor;
    const home = "home@second.example";
    await openSettings(page, "mail");
    await page.getByRole("button", { name: "Add address" }).press("Enter");
    const dialog = page.getByRole("dialog", { name: "Add address" });
    await dialog.getByRole("textbox", { name: "Address" }).fill(home);
    await dialog.getByRole("textbox", { name: "Address" }).press("Enter");
    await page.getByText(`Confirmation email sent to ${home}`).waitFor();
    await dialog.waitFor({ state: "hidden" });
    await page.getByRole("button", { name: `Edit: ${home}` }).press("Enter");
    const editor = page.getByRole("dialog", { name: home });
    await editor.getByRole("textbox", { name: "Name" }).fill("Home");
    await expectAccessible(page, "the form of an address");
    await editor.getByRole("button", { name: "Save" }).press("Enter");
    await editor.waitFor({ state: "hidden" });
    await page.getByText("Awaiting confirmation").waitFor();
    await expectAccessible(page, "the addresses");
    await page.getByRole("button", { name: "Remove: Home" }).press("Enter");
    const question = page.getByRole("alertdialog", { name: `Remove ${home}?` });
    await question.getByRole("button", { name: "Remove" }).press("Enter");
    await page.getByText(`${home} removed`).waitFor();
    await page.getByRole("button", { name: "Edit: Home" }).waitFor({ state: "detached" });
    expect(visitor.complaints).to.deep.equal([]);
  });
});
