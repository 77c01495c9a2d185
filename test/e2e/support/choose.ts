import type { Locator, Page } from "playwright-core";
import { until } from "../../server/support/until.ts";

/**
 * Chooses an option of a drop-down list with the keyboard, and waits until the focus is back on its button: a key that
 * is pressed before would go there.
 */
export const choose = async (page: Page, list: Locator, option: string | RegExp): Promise<void> => {
  await list.press("Enter");
  await page.getByRole("option", { name: option }).press("Enter");
  await page.getByRole("listbox").waitFor({ state: "hidden" });
  await until("the focus returns to the list's button", () =>
    list.evaluate((button) => button === document.activeElement),
  );
};
