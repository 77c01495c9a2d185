import type { Page } from "playwright-core";

/** How many times slower the processor of a page is than that of the machine. */
export const slowdown = 4;

/** Slows the processor of a page down. */
export const throttled = async (page: Page): Promise<void> => {
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
};

/** Returns the time from the navigation until the list is painted, in milliseconds. */
export const painted = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const look = (): void => {
          if (document.querySelector('ul[aria-label="Email masks"] > li') === null)
            requestAnimationFrame(look);
          else requestAnimationFrame(() => resolve(performance.now()));
        };
        requestAnimationFrame(look);
      }),
  );
