import { existsSync } from "node:fs";
import type { Browser } from "playwright-core";
import { chromium } from "playwright-core";

const systemChromium = "/usr/bin/chromium";

const flags = [
  "--no-sandbox",
  "--disable-gpu",
  "--no-zygote",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

const bundledChromium = async (): Promise<string> => {
  const { default: bundled } = await import("@sparticuz/chromium");
  return bundled.executablePath();
};

const executablePath = async (): Promise<string> => {
  const named = process.env["CHROMIUM_PATH"];
  if (named) return named;
  return existsSync(systemChromium) ? systemChromium : bundledChromium();
};

/** The one `CHROMIUM_PATH` names, else the system's, else the one npm brought. */
const launch = async (): Promise<Browser> =>
  chromium.launch({ executablePath: await executablePath(), args: flags, headless: true });

/**
 * A real Chromium of its own for a `describe`. Each of its tests may fail once, since how long things take in a browser
 * is the machine's to say; the reporter names each that did.
 */
export const useBrowser = (): (() => Browser) => {
  let browser: Browser | undefined;
  before(async function () {
    this.timeout(60_000);
    browser = await launch();
  });
  beforeEach(function () {
    this.currentTest?.retries(1);
  });
  after(() => browser?.close());
  return () => {
    if (!browser) throw new Error("there is a browser only while tests run");
    return browser;
  };
};
