import type { Browser, BrowserContext } from "playwright-core";
import { chromium } from "playwright-core";
import { type RunningServer, startServer } from "../../test/e2e/support/server.ts";
import { startBrowserServer } from "../../test/support/browserServer.ts";
import { type BenchAccount, createBenchAccount } from "./account.ts";
import { measureBurst } from "./burst.ts";
import { openSlowed, painted, slowdown } from "./painting.ts";
import { type Prototype, servePrototype } from "./prototype.ts";
import { measureThousands } from "./thousands.ts";
import { measureWarm } from "./warm.ts";

const rounds = Number(process.env["ROUNDS"] ?? 5);
const viewport = { width: 1280, height: 800 };
/** Requests and bytes are also counted for this time after the list is painted, in milliseconds. */
const afterMs = 3_000;

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? Number.NaN;

interface Opened {
  readonly requests: number;
  readonly scriptBytes: number;
  readonly paintedMs: number;
  readonly requestsAfter: number;
  readonly scriptBytesAfter: number;
  readonly heapMb: number;
  readonly urls: readonly string[];
}

/** Opens the prototype of the same page once. */
const openPrototype = async (browser: Browser, { url }: Prototype): Promise<number> => {
  const context = await browser.newContext({ viewport });
  const page = await context.newPage();
  const paintedMs = await openSlowed(page, url);
  await context.close();
  return paintedMs;
};

/** Creates the prototype of what an account sees. */
const prototypeOf = async (
  browser: Browser,
  server: RunningServer,
  { kept, token }: BenchAccount,
): Promise<Prototype> => {
  const context = await browser.newContext({ storageState: kept, viewport });
  const page = await context.newPage();
  await page.goto(server.url);
  await painted(page);
  const headers = { accept: "application/json", authorization: `Bearer ${token}` };
  const masks = await (await context.request.get(`${server.url}/masks`, { headers })).text();
  const prototype = await servePrototype(page, masks);
  await context.close();
  return prototype;
};

/** Opens the signed-in list once in a browser with an empty cache, and measures until it is painted. */
const open = async (browser: Browser, server: RunningServer, { kept }: BenchAccount): Promise<Opened> => {
  const context: BrowserContext = await browser.newContext({
    storageState: kept,
    viewport,
  });
  const seen: { readonly url: string; readonly bytes: Promise<number> }[] = [];
  context.on("requestfinished", (request) => {
    const bytes = request.url().endsWith(".js")
      ? request.sizes().then(
          ({ responseBodySize }) => responseBodySize,
          () => 0,
        )
      : Promise.resolve(0);
    seen.push({ url: new URL(request.url()).pathname, bytes });
  });
  const page = await context.newPage();
  const paintedMs = await openSlowed(page, server.url);
  const soFar = [...seen];
  await page.waitForTimeout(afterMs);
  const later = [...seen];
  const sum = async (list: typeof seen): Promise<number> =>
    (await Promise.all(list.map(({ bytes }) => bytes))).reduce((total, bytes) => total + bytes, 0);
  const heapMb = await page.evaluate(
    () => (performance as Performance & { memory?: { usedJSHeapSize: number } }).memory?.usedJSHeapSize ?? 0,
  );
  const result: Opened = {
    requests: soFar.length,
    scriptBytes: await sum(soFar),
    paintedMs,
    requestsAfter: later.length,
    scriptBytesAfter: await sum(later),
    heapMb: heapMb / 1_000_000,
    urls: later.map(({ url }) => url),
  };
  await context.close();
  return result;
};

/** Measures when the list of masks is painted, with how many requests and bytes, and a search in 10,000 masks. */
export const run = async (): Promise<void> => {
  const { variables, stop } = await startBrowserServer();
  const browser = await chromium.connect(variables["TEST_BROWSER"] ?? "");
  const server = await startServer({ LOG_LEVEL: "silent" });
  try {
    const account = await createBenchAccount(server, 100);
    const opened: Opened[] = [];
    const prototype = await prototypeOf(browser, server, account);
    const bareMs: number[] = [];
    for (let n = 0; n < rounds; n += 1) {
      bareMs.push(await openPrototype(browser, prototype));
      opened.push(await open(browser, server, account));
    }
    prototype.stop();
    const of = (pick: (one: Opened) => number): number => median(opened.map(pick));
    console.log(`100 masks, CPU ${slowdown} ×, median of ${rounds}`);
    console.log(`list painted            ${of(({ paintedMs }) => paintedMs).toFixed(0)} ms`);
    console.log(`bare prototype          ${median(bareMs).toFixed(0)} ms`);
    console.log(
      `ratio                   ${(of(({ paintedMs }) => paintedMs) / median(bareMs)).toFixed(2)} (at most 1.25)`,
    );
    console.log(
      `requests until then     ${of(({ requests }) => requests)} (at most 7: the typeface is one, which no text waits for)`,
    );
    console.log(
      `requests ${afterMs / 1_000} s later      ${of(({ requestsAfter }) => requestsAfter)} (at most 11)`,
    );
    console.log(`scripts, as sent        ${(of(({ scriptBytes }) => scriptBytes) / 1_000).toFixed(1)} kB`);
    console.log(
      `scripts ${afterMs / 1_000} s later       ${(of(({ scriptBytesAfter }) => scriptBytesAfter) / 1_000).toFixed(1)} kB`,
    );
    console.log(`heap                    ${of(({ heapMb }) => heapMb).toFixed(1)} MB`);
    await measureWarm(
      browser,
      server,
      account,
      of(({ paintedMs }) => paintedMs),
    );
    await measureBurst(browser, server, account);
    await measureThousands(
      browser,
      server,
      of(({ paintedMs }) => paintedMs),
    );
    if (process.env["VERBOSE"]) console.log(opened[0]?.urls.join("\n"));
  } finally {
    await server.stop();
    await server.removeData();
    await browser.close();
    await stop();
  }
};
