import { expect } from "chai";
import { expectAccessible } from "../support/accessible.ts";
import { useProduct } from "./support/product.ts";
import { createMask } from "./support/visitor.ts";

describe("the overview of all rules, in a real browser", () => {
  const { visitAs } = useProduct();

  it("is searched, and changes several rules of several masks, on a wide and a narrow screen", async () => {
    const visitor = await visitAs("overview@example.org");
    const { page } = visitor;
    for (const name of ["Corner Shop", "Library"]) {
      await createMask(page, name);
      await page.getByRole("button", { name: `Options for ${name}` }).press("Enter");
      await page.getByRole("menuitem", { name: "Rules", exact: true }).press("Enter");
      await page.getByRole("main").getByRole("button", { name: "Mask" }).getByText(name).waitFor();
      await page.getByRole("button", { name: "Create Rule" }).press("Enter");
      await page.getByRole("textbox", { name: "Condition 1: value" }).fill(`sale of ${name}`);
      await page.keyboard.press("Enter");
      await page.getByText("Rule created successfully").first().waitFor();
      await page.getByRole("listitem", { name: `Block if subject contains sale of ${name}` }).waitFor();
      await page.getByRole("link", { name: "Masks" }).click();
    }
    await page.getByRole("link", { name: "Rules" }).click();
    await page.getByRole("radio", { name: "All rules" }).check();
    const list = page.getByRole("list", { name: "All rules" });
    await list.getByRole("listitem").nth(1).waitFor();
    expect(page.url()).to.match(/#rules\/overview$/);
    await page.getByRole("searchbox", { name: "Search the rules" }).fill("library");
    await list.getByRole("listitem").nth(1).waitFor({ state: "detached" });
    await page.getByRole("searchbox", { name: "Search the rules" }).fill("");
    await page.getByRole("checkbox", { name: "Select all" }).check();
    const bar = page.getByRole("region", { name: "Selected rules" });
    await bar.getByText("2 selected", { exact: true }).waitFor();
    await expectAccessible(page, "the overview with two rules selected");

    await bar.getByRole("button", { name: "More for what is selected" }).click();
    await page.getByRole("menuitem", { name: "Switch off" }).click();
    await page.getByText("2 rules switched off").first().waitFor();
    for (const box of await list.getByRole("switch").all()) expect(await box.isChecked()).to.equal(false);
    await bar.getByRole("button", { name: "More for what is selected" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page
      .getByRole("alertdialog", { name: "Delete 2 rules?" })
      .getByRole("button", { name: "Delete" })
      .click();
    await page.getByText("No rules yet.").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await list.getByRole("listitem").nth(1).waitFor();
    await page.reload();
    await list.getByRole("listitem").nth(1).waitFor();
    expect(visitor.complaints).to.deep.equal([]);
  });
});
