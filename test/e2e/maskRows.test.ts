import { readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect } from "chai";
import type { Page } from "playwright-core";
import { createBenchAccount } from "../../bench/page/account.ts";
import { until } from "../server/support/until.ts";
import { expectAccessible } from "../support/accessible.ts";
import { useBrowser } from "../support/browser.ts";
import { lockWaitMs, longTestMs } from "../support/limits.ts";
import { fourScreens } from "../support/screens.ts";
import { useServer } from "./support/product.ts";
import { visit } from "./support/visitor.ts";

const count = 300;

/** Forgets how the list was shown last, which an account remembers. */
const forgetLayout = (dataDir: string): void => {
  const file = readdirSync(dataDir).find((name) => name.endsWith(".db")) ?? "";
  const database = new DatabaseSync(join(dataDir, file), { timeout: lockWaitMs });
  database.exec("update users set mask_list_settings = null");
  database.close();
};

/** The smallest height and width of the targets that a selector finds, in CSS pixels. */
const smallestOf = (page: Page, selector: string): Promise<number> =>
  page.evaluate(
    (selected) =>
      Math.min(
        ...[...document.querySelectorAll(selected)].map((element) => {
          const { height, width } = element.getBoundingClientRect();
          return Math.min(height, width);
        }),
      ),
    selector,
  );

/** The controls that the floating button covers. */
const coveredControls = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const floating = [...document.querySelectorAll("button")].find(
      (button) => getComputedStyle(button).position === "fixed",
    );
    const over = floating?.getBoundingClientRect();
    if (over === undefined || over.width === 0) return ["no floating button"];
    return [
      ...document.querySelectorAll('[aria-label="Email masks"] :is([role="switch"], button[aria-haspopup])'),
    ]
      .filter((control) => {
        const rect = control.getBoundingClientRect();
        return (
          rect.left < over.right && rect.right > over.left && rect.top < over.bottom && rect.bottom > over.top
        );
      })
      .map((control) => control.getAttribute("aria-label") ?? "");
  });

describe("Rows of 300 masks, in a real browser", () => {
  const server = useServer();
  const browser = useBrowser();
  let kept: Awaited<ReturnType<typeof createBenchAccount>>["kept"];

  before(async () => {
    ({ kept } = await createBenchAccount(server, count));
  });
  beforeEach(() => forgetLayout(server.dataDir));

  it("fit a phone: the floating button covers no control, the menu shows Delete, and a press opens the mask's page", async function () {
    this.timeout(longTestMs);
    const { page, complaints, leave } = await visit(browser(), server, { theme: "dark", width: 360 }, kept);
    await page.setViewportSize({ width: 360, height: 640 });
    await page.getByRole("button", { name: "Show as rows" }).click();
    const table = page.getByRole("table", { name: "Email masks" });
    await table.waitFor();
    for (const scrolled of [0, 90, 171, 255, 4_000]) {
      await page.evaluate((top) => window.scrollTo(0, top), scrolled);
      expect(await coveredControls(page), `scrolled to ${scrolled}`).to.deep.equal([]);
    }
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    await page.getByRole("link", { name: `Shop number ${count - 1}`, exact: true }).waitFor();
    expect(await coveredControls(page), "at the end of the list").to.deep.equal([]);
    await page.evaluate(() => window.scrollTo(0, 0));
    expect(await smallestOf(page, "tr[data-row] button[aria-haspopup]")).to.be.at.least(44);
    expect(await smallestOf(page, "tr[data-row] a[data-mask]")).to.be.at.least(44);
    await expectAccessible(page, "the rows", fourScreens);

    await page.setViewportSize({ width: 360, height: 640 });
    const menu = page.getByRole("button", { name: "Options for Shop number 0" });
    await menu.click();
    const remove = page.getByRole("menuitem", { name: "Delete mask" });
    await remove.waitFor();
    const rect = await remove.boundingBox();
    expect((rect?.y ?? 641) + (rect?.height ?? 0), "Delete is on the screen").to.be.at.most(640);
    await page.keyboard.press("Escape");
    await page.getByRole("menu").waitFor({ state: "detached" });

    await page.getByRole("link", { name: "Shop number 0", exact: true }).click();
    await page.getByRole("heading", { name: "Shop number 0", level: 1 }).waitFor();
    await page.getByRole("region", { name: "Rules" }).getByRole("link", { name: "New rule" }).waitFor();
    await page.getByRole("region", { name: "Who may write" }).waitFor();
    await page.getByRole("button", { name: "Rename Shop number 0" }).click();
    await page.keyboard.type("The first shop");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "The first shop", level: 1 }).waitFor();
    await expectAccessible(page, "the page of a mask", fourScreens);
    expect(complaints).to.deep.equal([]);
    await leave();
  });

  it("are read on a phone without the floating button, which comes back on scrolling up and at the end, over nothing", async () => {
    const { page, leave } = await visit(browser(), server, { theme: "light", width: 360 }, kept);
    await page.setViewportSize({ width: 360, height: 480 });
    await page.getByRole("heading", { name: "Your Email Masks" }).waitFor();
    await page.getByRole("listitem").first().waitFor();
    const create = page.getByRole("button", { name: "Create Mask" });
    const isShown = () =>
      create.evaluate(async (button) => {
        // The scroll event and the new place come with a frame.
        await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
        return button.getBoundingClientRect().top < window.innerHeight;
      });
    const scroll = (by: number) => page.evaluate((top) => window.scrollBy(0, top), by);
    expect(await isShown()).to.equal(true);
    await until("the code that follows the scrolling is loaded", async () => {
      await scroll(-300);
      await scroll(300);
      return !(await isShown());
    });
    await scroll(-60);
    expect(await isShown(), "scrolled up").to.equal(true);
    await scroll(300);
    expect(await isShown(), "scrolled down").to.equal(false);
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    expect(await isShown(), "at the end").to.equal(true);
    const gap = await create.evaluate((button) => {
      const last = [...document.querySelectorAll("main a")].at(-1)?.getBoundingClientRect();
      return button.getBoundingClientRect().top - (last?.bottom ?? Number.POSITIVE_INFINITY);
    });
    expect(gap, "between the last link and the button").to.be.at.least(0);
    await leave();
  });

  it("are announced by a placeholder of their shape, and the heading stays where it is", async () => {
    const { page, context, leave } = await visit(
      browser(),
      server,
      { theme: "light", width: 1280, keepsNothing: true },
      kept,
    );
    await page.getByRole("button", { name: "Show as rows" }).click();
    await page.getByRole("table", { name: "Email masks" }).waitFor();
    await page.evaluate(() => localStorage.removeItem("cached_masks"));
    let answer = (): void => undefined;
    const isAsked = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await context.route(/\/masks(?:\?|$)/, async (route) => {
      await isAsked;
      await route.continue();
    });
    await page.reload();
    const heading = page.getByRole("heading", { name: "Your Email Masks" });
    await page.getByText("Loading masks").waitFor({ state: "attached" });
    const before = await heading.boundingBox();
    answer();
    await page.getByRole("table", { name: "Email masks" }).waitFor();
    expect(await heading.boundingBox()).to.deep.equal(before);
    await leave();
  });
});
