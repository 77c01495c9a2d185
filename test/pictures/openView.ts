import type { Browser, BrowserContext, Page } from "playwright-core";
import { defaultListSettings } from "../../core/masks/maskListSettings.ts";
import { type Screen, settle } from "../support/screens.ts";
import { type MadeUp, now } from "./madeUp.ts";
import type { View } from "./views.ts";

/** A screen with the height that a picture has. */
export interface PictureScreen extends Screen {
  readonly height: number;
}

/** In this time a view is opened, or something that it presses is not there. */
const openedWithinMs = 30_000;

/** Opens views one after the other; those of one account share a browser's context, so that its files are loaded once. */
export interface ViewOpener {
  /** Opens a view, gives its page, and closes it. */
  readonly show: <A>(view: View, screen: PictureScreen, use: (page: Page) => Promise<A>) => Promise<A>;
  readonly leave: () => Promise<void>;
}

/** Waits until a page has all that it asks for: code, answers, and the connection for news. */
export const untilComplete = async (page: Page): Promise<void> => {
  await page.waitForLoadState("networkidle");
  await page.locator("[aria-busy=true]").first().waitFor({ state: "detached" });
  await page.getByText("Connecting").first().waitFor({ state: "detached" });
};

/** Waits until a page has its typeface, its shape and its colors. */
export const untilStill = async (page: Page): Promise<void> => {
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  await settle(page);
};

export const createViewOpener = (browser: Browser, { server, accounts }: MadeUp): ViewOpener => {
  const contexts = new Map<View["as"], BrowserContext>();
  const createContext = async (as: View["as"]): Promise<BrowserContext> => {
    const context = await browser.newContext({
      ...(as === "visitor" ? {} : { storageState: accounts[as] }),
      reducedMotion: "reduce",
      serviceWorkers: "block",
      locale: "en-US",
      timezoneId: "UTC",
    });
    context.setDefaultTimeout(openedWithinMs);
    await context.clock.install({ time: now });
    return context;
  };
  const contextOf = async ({ as, isFirst }: View): Promise<BrowserContext> => {
    const known = isFirst ? undefined : contexts.get(as);
    const context = known ?? (await createContext(as));
    if (!isFirst) contexts.set(as, context);
    return context;
  };
  return {
    show: async (view, { theme, width, height }, use) => {
      const context = await contextOf(view);
      const page = await context.newPage();
      try {
        await page.setViewportSize({ width, height });
        await page.emulateMedia({ colorScheme: theme });
        const layout = view.layout ?? "cards";
        await page.addInitScript(
          (settings) => localStorage.setItem("maskListSettings", settings),
          JSON.stringify({ ...defaultListSettings, layout }),
        );
        await view.answers?.(page);
        await page.goto(`${server.url}/${view.address}`);
        await view.open(page);
        if (!view.isLoading) await untilComplete(page);
        // Else the pointer shows a tooltip of what it has pressed.
        await page.mouse.move(0, 0);
        await untilStill(page);
        return await use(page);
      } finally {
        await context.setOffline(false);
        await (view.isFirst ? context : page).close();
      }
    },
    leave: async () => {
      for (const context of contexts.values()) await context.close();
    },
  };
};

/** Takes a picture of what the screen shows. */
export const takePicture = (page: Page): Promise<Buffer> => page.screenshot({ caret: "hide" });
