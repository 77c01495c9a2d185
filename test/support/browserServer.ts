import { mkdirSync } from "node:fs";
import { join } from "node:path";
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
];

/** Pages share processes, and their short lives do not repay optimized code: a quarter less CPU time. */
const shortLived = ["--renderer-process-limit=3", "--js-flags=--max-lazy --no-opt"];

const unpacked = join(import.meta.dirname, "../../node_modules/.cache/chromium");

/**
 * Unpacks the Chromium that npm installs. It goes where temporary files go, which is changed for it: in the system's
 * folder one of another user or of another version may stand.
 */
const unpackBundled = async (): Promise<string> => {
  const { default: bundled } = await import("@sparticuz/chromium");
  const before = process.env["TMPDIR"];
  mkdirSync(unpacked, { recursive: true });
  process.env["TMPDIR"] = unpacked;
  try {
    return await bundled.executablePath();
  } finally {
    if (before === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = before;
  }
};

const executablePath = async (): Promise<string> => process.env["CHROMIUM_PATH"] || unpackBundled();

/**
 * Starts the Chromium that `CHROMIUM_PATH` names, else the one that npm installs; test processes connect to it. It runs
 * scripts as browsers of users do where `isAsUsers` says so.
 */
export const startBrowserServer = async ({ isAsUsers = false } = {}): Promise<TestService> => {
  const server = await chromium.launchServer({
    executablePath: await executablePath(),
    args: isAsUsers ? flags : [...flags, ...shortLived],
    headless: true,
  });
  return { variables: { TEST_BROWSER: server.wsEndpoint() }, stop: () => server.close() };
};
