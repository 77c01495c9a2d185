import { kill } from "node:process";
import type { Browser, Page } from "playwright-core";
import type { RunningServer } from "../../test/e2e/support/server.ts";
import type { BenchAccount } from "./account.ts";
import { openSlowed, painted } from "./painting.ts";

const rounds = 5;

/** Waits until the service worker serves the page and the list is in the browser's storage. */
const untilKept = async (page: Page): Promise<void> => {
  const isKept = (): Promise<boolean> =>
    page.evaluate(
      async () =>
        navigator.serviceWorker.controller !== null &&
        (await caches.match("/")) !== undefined &&
        localStorage.getItem("cached_masks") !== null,
    );
  while (!(await isKept())) await page.waitForTimeout(200);
};

/** Measures when the list is painted at a later visit, and whether it is while the server answers nothing. */
export const measureWarm = async (
  browser: Browser,
  server: RunningServer,
  { kept }: BenchAccount,
  coldMs: number,
): Promise<void> => {
  const context = await browser.newContext({ storageState: kept, viewport: { width: 1280, height: 800 } });
  const visit = async (): Promise<number> => {
    const page = await context.newPage();
    const ms = await openSlowed(page, server.url);
    await page.close();
    return ms;
  };
  const first = await context.newPage();
  await first.goto(server.url);
  await painted(first);
  await untilKept(first);
  await first.close();
  const times: number[] = [];
  for (let n = 0; n < rounds; n += 1) times.push(await visit());
  const warmMs = times.toSorted((one, other) => one - other)[Math.floor(rounds / 2)] ?? Number.NaN;
  console.log(
    `list painted, warm      ${warmMs.toFixed(0)} ms, ${(warmMs / coldMs).toFixed(2)} of cold (at most 0.6)`,
  );
  kill(server.pid, "SIGSTOP");
  try {
    console.log(`while the server waits  ${(await visit()).toFixed(0)} ms`);
  } finally {
    kill(server.pid, "SIGCONT");
  }
  await context.close();
};
