import { AxeBuilder } from "@axe-core/playwright";
import { expect } from "chai";
import type { Page } from "playwright-core";

const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/**
 * Creates the check. It reports violations only, and a page without frames is checked in place instead of in a second
 * page: this takes a third of the time.
 */
const axeFor = (page: Page): AxeBuilder => {
  const axe = new AxeBuilder({ page }).options({ resultTypes: ["violations"] }).withTags(tags);
  return page.frames().length === 1 ? axe.setLegacyMode() : axe;
};

/**
 * Expects that axe finds no violation and that nothing is wider than the screen. With `SCREENSHOTS` set to a folder, a
 * screenshot of the page is saved there.
 */
export const expectAccessible = async (page: Page, where: string): Promise<void> => {
  const { violations } = await axeFor(page).analyze();
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`);
  expect(found, `axe on ${where}`).to.deep.equal([]);
  const overflow = await page.evaluate<number>(
    "document.documentElement.scrollWidth - document.documentElement.clientWidth",
  );
  expect(overflow, `sideways scrolling on ${where}`).to.equal(0);
  const shots = process.env["SCREENSHOTS"];
  if (shots) await page.screenshot({ path: `${shots}/${where.replace(/\W+/g, "-")}.png`, fullPage: true });
};
