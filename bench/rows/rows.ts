import { type Browser, chromium, type Page } from "playwright-core";
import { type RunningServer, startServer } from "../../test/e2e/support/server.ts";
import { startBrowserServer } from "../../test/support/browserServer.ts";
import { createBenchAccount } from "../page/account.ts";
import { openBareRows } from "./bare.ts";

const masks = 10_000;
const frames = 300;
/** How far the page scrolls in a frame: 3,600 px in a second at 60 frames. */
const stepPx = 60;

interface Frames {
  /** The processor time that the page takes for each frame: its scripts, styles, layout and paint, in milliseconds. */
  readonly workMs: readonly number[];
  /** The most rows that the page had at once. */
  readonly rows: number;
}

const at = (times: readonly number[], share: number): number =>
  times.toSorted((one, other) => one - other)[Math.floor((times.length - 1) * share)] ?? Number.NaN;

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur?: number;
  readonly tdur?: number;
}

/**
 * Returns the processor time that each frame takes of the page's main thread: that of all tasks from the one that draws
 * it to the next one, because rows are drawn after the frame in which the page scrolls. Other programs on the machine do
 * not lengthen it much.
 */
const frameTimes = (trace: Buffer): readonly number[] => {
  const { traceEvents } = JSON.parse(trace.toString()) as { readonly traceEvents: readonly TraceEvent[] };
  const drawn = traceEvents.filter(({ name }) => name === "FireAnimationFrame");
  const { pid, tid } = drawn[0] ?? {};
  const tasks = traceEvents
    .filter((one) => one.name === "RunTask" && one.pid === pid && one.tid === tid)
    .toSorted((one, other) => one.ts - other.ts);
  const sums: number[] = [];
  for (const { ts, dur = 0, tdur = 0 } of tasks) {
    const isFrame = drawn.some((one) => one.pid === pid && one.ts >= ts && one.ts <= ts + dur);
    if (isFrame) sums.push(0);
    if (sums.length > 0) sums.push((sums.pop() ?? 0) + tdur / 1_000);
  }
  // What follows the last frame has no end.
  return sums.slice(0, -1);
};

/** Scrolls a page in as many frames, and measures them. */
const scroll = async (browser: Browser, page: Page): Promise<Frames> => {
  await browser.startTracing(page, {
    categories: ["toplevel", "devtools.timeline", "disabled-by-default-devtools.timeline"],
  });
  const rows = await page.evaluate(
    ({ wanted, step }) =>
      new Promise<number>((resolve) => {
        let most = 0;
        let drawn = 0;
        const frame = (): void => {
          drawn += 1;
          window.scrollBy(0, step);
          most = Math.max(most, document.querySelectorAll("[data-row]").length);
          if (drawn === wanted) resolve(most);
          else requestAnimationFrame(frame);
        };
        requestAnimationFrame(frame);
      }),
    { wanted: frames, step: stepPx },
  );
  return { workMs: frameTimes(await browser.stopTracing()), rows };
};

interface Measured {
  readonly ours: Frames;
  readonly bare: Frames;
}

const measure = async (server: RunningServer, endpoint: string): Promise<Measured> => {
  const { kept } = await createBenchAccount(server, masks);
  const browser = await chromium.connect(endpoint);
  const context = await browser.newContext({ storageState: kept, viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await page.goto(server.url);
  await page.getByRole("button", { name: "Show as rows" }).click();
  await page.getByRole("table", { name: "Email masks" }).waitFor();
  await page.waitForTimeout(2_000);
  const ours = await scroll(browser, page);
  await page.close();
  const bare = await scroll(browser, await openBareRows(context, masks));
  await browser.close();
  return { ours, bare };
};

const mean = (times: readonly number[]): number => times.reduce((sum, one) => sum + one, 0) / times.length;

/** Measures how the rows of 10,000 masks scroll, beside rows of plain texts in the same browser. */
export const run = async (): Promise<void> => {
  const service = await startBrowserServer({ isAsUsers: true });
  const server = await startServer({ DEFAULT_TIER: "self_hosted" });
  try {
    const { ours, bare } = await measure(server, service.variables["TEST_BROWSER"] ?? "");
    const line = (name: string, of: (times: readonly number[]) => number, note = ""): void => {
      const our = of(ours.workMs);
      const least = of(bare.workMs);
      const ratio = (our / least).toFixed(1);
      console.log(
        `${name.padEnd(31)} ${our.toFixed(1)} ms, plain rows ${least.toFixed(1)} ms, ratio ${ratio}${note}`,
      );
    };
    console.log(`${masks} masks as rows, ${stepPx} px a frame, ${ours.workMs.length} frames`);
    line("processor time of a frame, p50", (times) => at(times, 0.5));
    line("processor time of a frame, p95", (times) => at(times, 0.95), " (at most 16 ms)");
    line("processor time of a frame, mean", mean);
    console.log(`rows at once                    ${ours.rows}, plain ${bare.rows}`);
  } finally {
    await service.stop();
    await server.stop();
    await server.removeData();
  }
};
