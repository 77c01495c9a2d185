import { AxeBuilder } from "@axe-core/playwright";
import axe, { type RunOptions } from "axe-core";
import { expect } from "chai";
import type { Page } from "playwright-core";
import { until } from "../server/support/until.ts";
import { type Screen, screenOf, settle, showOn, twoScreens } from "./screens.ts";

/** All that axe knows of the standards. */
const everyRule: RunOptions["runOnly"] = {
  type: "tag",
  values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
};
/** The rules whose answer depends on the width and the theme. */
const visualRules: RunOptions["runOnly"] = { type: "rule", values: ["color-contrast", "target-size"] };

declare global {
  interface Window {
    /** Present once `violationsOf` has loaded it. */
    readonly axe: typeof axe;
  }
}

type Violations = Awaited<ReturnType<AxeBuilder["analyze"]>>["violations"];

/**
 * Runs axe in a page. Without frames it is loaded once for a document and asked there, in a third of the time that its
 * builder takes, which loads it each time.
 */
const violationsOf = async (page: Page, runOnly: RunOptions["runOnly"]): Promise<Violations> => {
  const options: RunOptions = { resultTypes: ["violations"], ...(runOnly ? { runOnly } : {}) };
  if (page.frames().length > 1) return (await new AxeBuilder({ page }).options(options).analyze()).violations;
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  return page.evaluate(async (asked) => (await window.axe.run(document, asked)).violations, options);
};

/** The fragment of a link names a screen (`#held?mail=…`), which axe takes for a place in the page. */
const isAddressTakenForSkipLink = ({ id, nodes }: Violations[number]): boolean =>
  id === "skip-link" && nodes.every(({ html }) => /href="#[a-z]+[/?]/.test(html));

/** In this time a page has shown all that a step brings, and its toasts have closed. */
const arrangedWithinMs = 5_000;

/** Expects that axe finds nothing, once the page is arranged. */
const expectNoViolation = async (
  page: Page,
  runOnly: RunOptions["runOnly"],
  where: string,
): Promise<void> => {
  let found: readonly string[] = [];
  const isAccessible = async (): Promise<boolean> => {
    found = (await violationsOf(page, runOnly))
      .filter((one) => !isAddressTakenForSkipLink(one))
      .map(
        ({ id, nodes }) =>
          `${id}: ${nodes.map(({ html, failureSummary = "" }) => `${html} ${failureSummary}`).join(" | ")}`,
      );
    return found.length === 0;
  };
  await until(`${where} is accessible`, isAccessible, arrangedWithinMs).catch((error: Error) => {
    expect(found, `axe on ${where}`).to.deep.equal([]);
    throw error;
  });
};

const expectNoSidewaysScrolling = async (page: Page, where: string): Promise<void> => {
  const overflow = await page.evaluate<number>(
    "document.documentElement.scrollWidth - document.documentElement.clientWidth",
  );
  expect(overflow, `sideways scrolling on ${where}`).to.equal(0);
};

const takePicture = async (page: Page, where: string): Promise<void> => {
  const folder = process.env["SCREENSHOTS"];
  if (folder) await page.screenshot({ path: `${folder}/${where.replace(/\W+/g, "-")}.png`, fullPage: true });
};

/**
 * Expects that axe finds no violation and that nothing is wider than the screen: on the screen that the page has now in
 * full, on the others only what depends on the screen. The page stays on the last of them, so that a journey goes on
 * there: each look changes between wide and narrow. With `SCREENSHOTS` set to a folder, screenshots are saved there.
 */
export const expectAccessible = async (
  page: Page,
  where: string,
  screens: readonly Screen[] = twoScreens,
): Promise<void> => {
  const here = await screenOf(page);
  const isHere = ({ theme, width }: Screen): boolean => theme === here.theme && width === here.width;
  for (const screen of [here, ...screens.filter((one) => !isHere(one))]) {
    const place = `${where}, ${screen.theme}, ${screen.width} px`;
    const isFirst = screen === here;
    await (isFirst ? settle(page) : showOn(page, screen));
    await takePicture(page, place);
    await expectNoViolation(page, isFirst ? everyRule : visualRules, place);
    await expectNoSidewaysScrolling(page, place);
  }
};
