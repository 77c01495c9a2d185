import { expect } from "chai";
import type { Page } from "playwright-core";
import { expectAccessible } from "../../support/accessible.ts";
import type { Screen } from "../../support/screens.ts";
import { type ChromiumPage, useChromiumPages } from "../support/chromiumPage.ts";
import { servePageOnFakes } from "../support/servePage.ts";
import type {} from "./pageOnFakes.tsx";

const sixScreens: readonly Screen[] = [1280, 768, 320].flatMap((width) =>
  (["light", "dark"] as const).map((theme) => ({ theme, width })),
);

describe("The signed-in page in a real browser", () => {
  const openPage = useChromiumPages(servePageOnFakes);
  let page: Page;
  let complaints: ChromiumPage["complaints"];

  const open = async (width: number): Promise<void> => {
    ({ page, complaints } = await openPage(width));
    await page.getByRole("heading", { name: "Your Email Masks" }).waitFor();
  };

  const pass = (ms: number): Promise<void> => page.evaluate((time) => window.hands.clock.advance(time), ms);
  const focusOn = (name: string | RegExp): Promise<void> =>
    page.getByRole("button", { name }).and(page.locator(":focus")).waitFor();

  it("passes axe while offline and with its notifications open, at three widths in both themes", async () => {
    const look = (where: string): Promise<void> => expectAccessible(page, where, sixScreens);
    await open(1280);
    await page.evaluate(() => {
      const { product, clock, sockets } = window.hands;
      const long = "The mask for the shop at the corner has received more than eighty per cent of its mail.";
      const kinds = ["info", "success", "warning", "error", "info"];
      for (const [at, type] of kinds.entries())
        product.notifications.add({
          type,
          read: at < 2,
          message: at === 3 ? long : `Notification ${at}.`,
          timestamp: clock.now(),
        });
      sockets.latest().accept();
    });
    await pass(500);
    await page.getByRole("button", { name: "Notifications, 3 unread" }).click();
    await page.getByRole("dialog", { name: "Notifications" }).getByText("3 unread").waitFor();
    await page.getByRole("button", { name: "Delete", exact: true }).first().click();
    await look("notifications");
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.evaluate(() => window.hands.sockets.latest().drop(1012));
    await pass(3_000);
    await page.getByRole("button", { name: "Diagnose" }).click();
    await page.getByRole("region", { name: "Diagnosis" }).getByText("Checked at").waitFor();
    await look("diagnosis");
    for (let tries = 0; tries < 5; tries += 1) {
      await page.evaluate(() => window.hands.sockets.latest().drop(1006));
      await pass(13_000);
    }
    await page.getByText("Connection to server lost. Please refresh the page to reconnect.").waitFor();
    await look("lost");
    expect(complaints).to.deep.equal([]);
  });

  it("opens the notifications by keyboard, keeps the focus in them, and restores it when they close", async () => {
    await open(1280);
    await page.evaluate(() => {
      for (let n = 0; n < 3; n += 1) window.hands.product.notifications.add();
      return window.hands.app.notifications.refresh()();
    });
    await page.getByRole("button", { name: "Notifications, 3 unread" }).focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Notifications" });
    await dialog.waitFor();
    for (let presses = 0; presses < 12; presses += 1) {
      await page.keyboard.press("Tab");
      expect(await dialog.evaluate((element) => element.contains(window.document.activeElement))).to.equal(
        true,
      );
    }
    await dialog.getByRole("button", { name: "Delete" }).first().focus();
    await page.keyboard.press("Enter");
    await focusOn(/^Undo/);
    await page.keyboard.press("ArrowDown");
    expect(await page.locator(":focus").getAttribute("aria-label")).to.be.oneOf(["Mark as read", "Delete"]);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await focusOn(/^Notifications/);
  });

  it("leaves the whole of a low screen to what is read, as at 400 % of 1280 × 1024", async () => {
    await open(1280);
    await page.setViewportSize({ width: 320, height: 256 });
    const header = page.getByRole("banner");
    const links = header.getByRole("navigation", { name: "Main" });
    const bottomOf = (part: typeof header) =>
      part.evaluate((element) => element.getBoundingClientRect().bottom - window.innerHeight);
    const height = await header.evaluate((element) => element.getBoundingClientRect().height);
    expect(height, "header and tabs take a fifth of the screen").to.be.at.most(256 / 5);
    expect(await bottomOf(links), "the links stand in the header").to.be.below(-128);
    await page.evaluate(() => window.scrollTo(0, 256));
    expect(await bottomOf(links), "and scroll away with it").to.be.below(-256);
    expect(await bottomOf(header)).to.be.below(-256);
    await page.setViewportSize({ width: 360, height: 740 });
    await page.evaluate(() => window.scrollTo(0, 0));
    expect(await bottomOf(links), "on a phone they are at its lower edge").to.equal(0);
  });
});
