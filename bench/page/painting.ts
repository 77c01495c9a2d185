import type { Page } from "playwright-core";

/** How many times slower the processor of a page is than that of the machine. */
export const slowdown = 4;

/** Slows the processor of a page down. */
export const throttled = async (page: Page): Promise<void> => {
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
};

/** Looks at each frame for an element; resolves to the time from the navigation until it is painted, in milliseconds. */
export const untilPainted = (selector: string): Promise<number> =>
  new Promise<number>((resolve) => {
    const look = (): void => {
      if (document.querySelector(selector) === null) requestAnimationFrame(look);
      else requestAnimationFrame(() => resolve(performance.now()));
    };
    requestAnimationFrame(look);
  });

const list = 'ul[aria-label="Email masks"] > li';

/** Waits until the list is painted. */
export const painted = (page: Page): Promise<number> => page.evaluate(untilPainted, list);

/**
 * Opens an address with a slowed processor; returns the time from the navigation until the list is painted, in milliseconds. The
 * page looks for the list from its start, because a script that is sent to it later may miss the frame.
 */
export const openSlowed = async (page: Page, url: string): Promise<number> => {
  await throttled(page);
  await page.addInitScript(`window.listPainted = (${untilPainted.toString()})(${JSON.stringify(list)})`);
  await page.goto(url, { waitUntil: "commit" });
  return page.evaluate(
    () => (window as Window & { readonly listPainted?: Promise<number> }).listPainted ?? 0,
  );
};
