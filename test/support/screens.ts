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

/** Two frames without a transition: a color that is inherited changes one frame later at each level. */
const twoStillFrames = async (): Promise<void> => {
  const isMoving = (): boolean =>
    document.getAnimations().some((one) => one instanceof CSSTransition && one.playState === "running");
  for (let frames = 0; frames < 2; frames = isMoving() ? 0 : frames + 1)
    await new Promise((painted) => requestAnimationFrame(painted));
};

/** Waits until a page has taken its shape and colors. */
export const settle = (page: Page): Promise<void> => page.evaluate(twoStillFrames);

/** Shows a page on another screen without loading it again; resolves when it has taken its shape and colors. */
export const showOn = async (page: Page, { theme, width }: Screen): Promise<void> => {
  await page.emulateMedia({ colorScheme: theme });
  await page.setViewportSize({ width, height: page.viewportSize()?.height ?? 800 });
  await settle(page);
};
