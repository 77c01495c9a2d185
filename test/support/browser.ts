import type { Browser } from "playwright-core";
import { chromium } from "playwright-core";
import { hungMs } from "./limits.ts";

let connection: Promise<Browser> | undefined;

const connect = (): Promise<Browser> => {
  const endpoint = process.env["TEST_BROWSER"];
  if (endpoint === undefined) throw new Error("TEST_BROWSER is not set; test/support/services.mjs sets it");
  connection ??= chromium
    .connect(endpoint)
    .then((browser) => browser.on("context", (context) => context.setDefaultTimeout(hungMs)));
  return connection;
};

/** Connects a `describe` to the shared Chromium; contexts that its tests leave open are closed at its end. */
export const useBrowser = (): (() => Browser) => {
  let browser: Browser | undefined;
  before(async () => {
    browser = await connect();
  });
  after(async () => {
    for (const context of browser?.contexts() ?? []) await context.close();
  });
  return () => {
    if (!browser) throw new Error("the browser exists only while tests run");
    return browser;
  };
};
