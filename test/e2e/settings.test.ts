import { expect } from "chai";
import { settingsSections } from "../../web/app/settings/settingsSections.ts";
import { expectAccessible } from "../support/accessible.ts";
import { useProduct } from "./support/product.ts";
import { loadAt } from "./support/visitor.ts";

describe("the settings, in a real browser", () => {
  const { visitAs, server } = useProduct();
  const focused = "(document.activeElement?.textContent ?? '')";

  it("are opened section by section with the keyboard, and the back button leads out", async () => {
    const visitor = await visitAs("sections@example.org", { theme: "light", width: 1_280 });
    const { page } = visitor;
    await page.goto(`${server.url}/#settings`);
    const sections = page.getByRole("navigation", { name: "Settings sections" });
    for (const { path, title, label = title } of settingsSections) {
      await sections.getByRole("link", { name: label }).press("Enter");
      await page.waitForURL(`**/#${path.join("/")}`);
      await page.waitForFunction(`${focused} === ${JSON.stringify(title)}`);
      await sections.locator('[aria-current="page"]').getByText(label, { exact: true }).waitFor();
    }
    await page.goBack();
    await page.waitForURL("**/#settings/programs");
    await page.reload();
    await page.getByRole("heading", { name: "Mail programs" }).waitFor();
    await page.keyboard.press("Control+k");
    const field = page.getByRole("combobox");
    await field.waitFor();
    // The dialog has moved to its place.
    await page.waitForFunction(() => document.getAnimations().length === 0);
    const top = (await field.boundingBox())?.y;
    await field.fill("two-factor");
    await page.getByRole("option", { name: "Two-Factor" }).waitFor();
    expect((await field.boundingBox())?.y, "the field stays where it is").to.equal(top);
    await page.keyboard.press("Enter");
    await page.waitForFunction(`${focused} === "Two-Factor Authentication"`);
    expect(visitor.complaints).to.deep.equal([]);
  });

  it("show the card that the address names, also when the cards above it load later", async () => {
    const { page } = await visitAs("late.cards@example.org", { theme: "light", width: 1_280 });
    let answer = (): void => {};
    const isAnswered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route("**/webhooks", async (route) => {
      await isAnswered;
      await route.continue();
    });
    await loadAt(page, `${server.url}/#settings/programs/app-passwords`);
    await page.waitForFunction(() => document.activeElement?.textContent === "Mail programs");
    const card = page.getByRole("article", { name: "Mail programs" });
    answer();
    await page.getByRole("button", { name: "Add webhook" }).waitFor();
    expect(await card.evaluate((element) => element.getBoundingClientRect().bottom)).to.be.at.most(800);
  });

  it("are a list on a narrow screen, which a section leads back to", async () => {
    const visitor = await visitAs("narrow.sections@example.org", { theme: "dark", width: 360 });
    const { page } = visitor;
    await page.goto(`${server.url}/#settings`);
    const security = page.getByRole("link", { name: "Security" });
    await security.waitFor();
    expect(await page.getByRole("switch", { name: "Dark theme" }).isVisible()).to.equal(false);
    await expectAccessible(page, "the list of the settings");
    await page.setViewportSize({ width: 360, height: 800 });
    await security.click();
    await page.getByRole("article", { name: "Two-Factor Authentication" }).waitFor();
    expect(await security.isVisible()).to.equal(false);
    await page.getByRole("link", { name: "All settings" }).click();
    await page.waitForFunction(`${focused}.startsWith("Security")`);
    expect(await security.isVisible()).to.equal(true);
    expect(visitor.complaints).to.deep.equal([]);
  });
});
