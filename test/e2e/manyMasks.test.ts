import { readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect } from "chai";
import { createBenchAccount } from "../../bench/page/account.ts";
import { expectAccessible } from "../support/accessible.ts";
import { useBrowser } from "../support/browser.ts";
import { lockWaitMs, longTestMs } from "../support/limits.ts";
import { fourScreens } from "../support/screens.ts";
import { useServer } from "./support/product.ts";
import { visit } from "./support/visitor.ts";

const count = 5_000;

/** Gives each mask one of 200 labels, every tenth mask a second one, and the account a plan that has room for all. */
const labelMasks = (dataDir: string): void => {
  const file = readdirSync(dataDir).find((name) => name.endsWith(".db")) ?? "";
  const database = new DatabaseSync(join(dataDir, file), { timeout: lockWaitMs });
  database.exec(`
    update masks set labels = case when rowid % 10 = 0
      then '["label ' || (rowid % 200) || '", "label ' || ((rowid + 1) % 200) || '"]'
      else '["label ' || (rowid % 200) || '"]' end;
    update users set tier = 'self_hosted',
      mask_count = (select count(*) from masks where masks.user_id = users.id)`);
  database.close();
};

describe("A list of 5,000 masks with 200 labels, in a real browser", () => {
  const server = useServer();
  const browser = useBrowser();
  let kept: Awaited<ReturnType<typeof createBenchAccount>>["kept"];

  before(async () => {
    ({ kept } = await createBenchAccount(server, count));
    labelMasks(server.dataDir);
  });

  it("is searched, sorted, selected and changed on a wide and a narrow screen, with every step accessible", async function () {
    this.timeout(longTestMs);
    const { page, complaints, leave } = await visit(browser(), server, { theme: "light", width: 1280 }, kept);
    const look = (where: string): Promise<void> => expectAccessible(page, where, fourScreens);
    const list = page.getByRole("list", { name: "Email masks" });
    await list.getByRole("listitem").first().waitFor();

    await page.getByRole("button", { name: "Sort and view" }).press("Enter");
    const settings = page.getByRole("dialog", { name: "Sort and view" });
    await settings.getByRole("radio", { name: "Most email" }).press("Space");
    await look("the settings of the list");
    await settings.getByRole("button", { name: "Done" }).press("Enter");
    await settings.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Show as rows" }).press("Enter");
    const table = page.getByRole("table", { name: "Email masks" });
    const row = table.getByRole("row").nth(1);
    await row.getByText(`Shop number ${count - 1}`, { exact: true }).waitFor();
    expect(await table.getAttribute("aria-rowcount")).to.equal(String(count + 1));
    expect(await table.getByRole("row").count(), "the rows that are drawn").to.be.within(21, 80);
    await look("the rows");
    const narrow = page.viewportSize() ?? { width: 360, height: 800 };
    await page.setViewportSize({ width: 1_440, height: 900 });
    const last = await table.getByRole("row").nth(20).boundingBox();
    expect((last?.y ?? 1_000) + (last?.height ?? 0), "20 rows fit on a laptop's screen").to.be.at.most(900);
    await page.setViewportSize(narrow);

    await row.getByRole("button", { name: "Options for" }).press("Enter");
    await page.getByRole("menuitem", { name: "Rename" }).press("Enter");
    await page.locator("input:focus").waitFor();
    await look("the description in place");
    await page.keyboard.type("The newest shop");
    await page.keyboard.press("Enter");
    await page.getByText("Description changed").waitFor();
    await page.getByRole("button", { name: "Undo" }).press("Enter");
    await row.getByText(`Shop number ${count - 1}`, { exact: true }).waitFor();

    await page.keyboard.press("/");
    await page.locator("input[type=search]:focus").waitFor();
    await page.keyboard.type('label:"label 7" shop');
    await page.waitForFunction(() => location.hash.includes("search="));
    await page.waitForFunction(
      () => ((CSS.highlights as unknown as ReadonlyMap<string, Highlight>).get("search")?.size ?? 0) >= 20,
    );
    await look("the search");
    const address = page.url();
    await page.reload();
    await table.waitFor();
    expect(page.url()).to.equal(address);
    await page.waitForFunction(
      () => document.querySelector<HTMLInputElement>("input[type=search]")?.value === 'label:"label 7" shop',
    );
    await page.getByRole("button", { name: "Clear search" }).press("Enter");
    await row.getByText(`Shop number ${count - 1}`, { exact: true }).waitFor();

    await page.getByRole("heading", { level: 1 }).focus();
    await page.keyboard.press("s");
    const selection = page.getByRole("region", { name: "Select masks" });
    await selection.locator("h2:focus").waitFor();
    const box = table.getByRole("checkbox", { name: /^Select / }).first();
    await box.focus();
    await page.keyboard.press("Space");
    await selection.getByText(`1 of ${count} selected`).waitFor();
    await page.keyboard.press("Shift+ArrowDown");
    await selection.getByText(`2 of ${count} selected`).waitFor();
    // At the end of the page the bar covers no row.
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    await look("the selection");
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    expect(height, "the height of a narrow list, whose rows have two lines").to.be.within(
      count * 64,
      count * 66,
    );
    await page.evaluate(() => window.scrollTo(0, 0));
    await box.focus();
    await page.keyboard.press("Control+a");
    await selection.getByText(`${count} of ${count} selected`).waitFor();
    await selection.getByRole("button", { name: "Switch off" }).press("Enter");
    await page.getByText(`${count} masks switched off`).waitFor();
    await page.getByRole("button", { name: "Undo" }).press("Enter");
    await page.getByText(`${count} masks as before`).waitFor();
    await box.focus();
    await page.keyboard.press("Escape");
    await table.waitFor();

    await page.getByRole("button", { name: "Labels", exact: true }).press("Enter");
    const labels = page.getByRole("dialog", { name: "Labels" });
    for (const name of ["label 20", "label 21"]) {
      const find = labels.getByRole("searchbox", { name: "Find a label" });
      await find.fill(name);
      await labels.getByRole("checkbox", { name, exact: true }).press("Space");
      await find.fill("");
    }
    await look("the labels");
    await labels.getByRole("button", { name: "Show masks" }).press("Enter");
    await labels.waitFor({ state: "detached" });
    await page.waitForFunction(() => location.hash.includes("search="));
    const withBoth = count / 200;
    await page.getByRole("heading", { level: 1 }).focus();
    await page.keyboard.press("s");
    await selection.getByText(`0 of ${withBoth} selected`).waitFor();
    await selection.getByRole("button", { name: `Select all ${withBoth}` }).press("Enter");
    await selection.getByRole("button", { name: "Label…" }).press("Enter");
    const labeling = page.getByRole("dialog", { name: `Label ${withBoth} masks` });
    await labeling.getByRole("combobox", { name: "Labels to add" }).fill("checked");
    await look("the question for labels");
    await labeling.getByRole("combobox", { name: "Labels to add" }).press("Enter");
    await page.getByText(`${withBoth} masks labeled`).waitFor();
    await page.getByRole("button", { name: "Undo" }).press("Enter");
    await page.getByText(`${withBoth} masks as before`).waitFor();
    await selection.getByRole("button", { name: "Delete…" }).press("Enter");
    const question = page.getByRole("alertdialog");
    await look("the question before several are deleted");
    await question.getByRole("button", { name: /^Delete/ }).press("Enter");
    await page.getByText(`${withBoth} masks deleted`).waitFor();
    await page.getByText("No masks match your filters").waitFor();
    await page.getByRole("button", { name: "Undo" }).press("Enter");
    await selection.getByText(`of ${withBoth} selected`).waitFor();
    await selection.getByRole("button", { name: "Done" }).press("Enter");
    await page.getByRole("button", { name: "Clear search" }).press("Enter");
    await table.waitFor();

    await page.getByRole("heading", { level: 1 }).focus();
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keys and search" }).waitFor();
    await look("the keys");
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").waitFor();
    await page.keyboard.type("shop number 4321");
    await page.getByRole("option", { name: "Open Shop number 4321" }).waitFor();
    await look("the palette");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Shop number 4321" }).waitFor();
    expect(complaints).to.deep.equal([]);
    await leave();
  });
});
