import type { Page } from "playwright-core";

export interface Screen {
  readonly theme: "light" | "dark";
  /** CSS pixels. */
  readonly width: number;
}

/** A wide and a narrow screen, each theme once. */
export const twoScreens: readonly Screen[] = [
  { theme: "light", width: 1280 },
  { theme: "dark", width: 360 },
];

/** A wide and a narrow screen, each in both themes; neighbors differ in one of the two. */
export const fourScreens: readonly Screen[] = [
  { theme: "light", width: 1280 },
  { theme: "dark", width: 1280 },
  { theme: "dark", width: 360 },
  { theme: "light", width: 360 },
];

/** Returns the screen that a page is shown on. */
export const screenOf = async (page: Page): Promise<Screen> => ({
  theme: await page.evaluate(() => (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")),
  width: page.viewportSize()?.width ?? Number.NaN,
});

/** Shows a page on another screen without loading it again; resolves when that is painted. */
export const showOn = async (page: Page, { theme, width }: Screen): Promise<void> => {
  await page.emulateMedia({ colorScheme: theme });
  await page.setViewportSize({ width, height: page.viewportSize()?.height ?? 800 });
  await page.evaluate(
    () => new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted))),
  );
};
