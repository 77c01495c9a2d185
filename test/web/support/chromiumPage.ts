import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { useBrowser } from "../../support/browser.ts";

export type Theme = "light" | "dark";

/** A page in Chromium with the messages of its console. */
export interface ChromiumPage {
  readonly page: Page;
  /** The errors and warnings of its console so far. */
  readonly complaints: readonly string[];
}

/**
 * Serves pages to Chromium for the tests of a `describe`; returns a function that opens one, at a width in CSS pixels
 * and in a theme. Pages that a test has opened are closed after it.
 */
export const useChromiumPages = (
  serve: () => Promise<Server>,
): ((width: number, theme?: Theme) => Promise<ChromiumPage>) => {
  const browser = useBrowser();
  let server: Server | undefined;
  let url: string;
  before(async () => {
    server = await serve();
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });
  afterEach(async () => {
    for (const context of browser().contexts()) await context.close();
  });
  after(() => server?.close());
  return async (width, theme = "light") => {
    const context = await browser().newContext({
      viewport: { width, height: 740 },
      colorScheme: theme,
      reducedMotion: "reduce",
    });
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(error.message));
    await page.goto(url);
    return { page, complaints };
  };
};
