import { chromium } from "playwright-core";
import type { TestService } from "./testService.ts";

const flags = [
  "--no-sandbox",
  "--disable-gpu",
  "--no-zygote",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // Pages share processes, and their short lives do not repay optimized code: a quarter less CPU time.
  "--renderer-process-limit=3",
  "--js-flags=--max-lazy --no-opt",
];

const executablePath = async (): Promise<string> => {
  const named = process.env["CHROMIUM_PATH"];
  if (named) return named;
  const { default: bundled } = await import("@sparticuz/chromium");
  return bundled.executablePath();
};

/** Starts the Chromium that `CHROMIUM_PATH` names, else the one that npm installs; test processes connect to it. */
export const startBrowserServer = async (): Promise<TestService> => {
  const server = await chromium.launchServer({
    executablePath: await executablePath(),
    args: flags,
    headless: true,
  });
  return { variables: { TEST_BROWSER: server.wsEndpoint() }, stop: () => server.close() };
};
