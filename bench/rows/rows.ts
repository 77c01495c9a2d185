import { chromium } from "playwright-core";
import { type RunningServer, startServer } from "../../test/e2e/support/server.ts";
import { startBrowserServer } from "../../test/support/browserServer.ts";
import { createBenchAccount } from "../page/account.ts";

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

/** Returns the processor time of each task that drew a frame, which other programs on the machine do not lengthen. */
const frameTimes = (trace: Buffer): readonly number[] => {
  const { traceEvents } = JSON.parse(trace.toString()) as { readonly traceEvents: readonly TraceEvent[] };
  const frames = traceEvents.filter(({ name }) => name === "FireAnimationFrame");
  const tasks = traceEvents.filter(({ name }) => name === "RunTask");
  return tasks.flatMap(({ pid, tid, ts, dur = 0, tdur = 0 }) =>
    frames.some((one) => one.pid === pid && one.tid === tid && one.ts >= ts && one.ts <= ts + dur)
      ? [tdur / 1_000]
      : [],
  );
};

const measure = async (server: RunningServer, endpoint: string): Promise<Frames> => {
  const { kept } = await createBenchAccount(server, masks);
  const browser = await chromium.connect(endpoint);
  const context = await browser.newContext({ storageState: kept, viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await page.goto(server.url);
  await page.getByRole("button", { name: "Show as rows" }).click();
  await page.getByRole("table", { name: "Email masks" }).waitFor();
  await page.waitForTimeout(2_000);
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
          most = Math.max(most, document.querySelectorAll("tr[data-row]").length);
          if (drawn === wanted) resolve(most);
          else requestAnimationFrame(frame);
        };
        requestAnimationFrame(frame);
      }),
    { wanted: frames, step: stepPx },
  );
  const workMs = frameTimes(await browser.stopTracing());
  await browser.close();
  return { workMs, rows };
};

/** Measures how the rows of 10,000 masks scroll. */
export const run = async (): Promise<void> => {
  const service = await startBrowserServer();
  const server = await startServer({ DEFAULT_TIER: "self_hosted" });
  try {
    const { workMs, rows } = await measure(server, service.variables["TEST_BROWSER"] ?? "");
    console.log(`${masks} masks as rows, ${stepPx} px a frame, ${workMs.length} frames, unoptimized scripts`);
    console.log(`processor time of a frame, p50  ${at(workMs, 0.5).toFixed(1)} ms`);
    console.log(`processor time of a frame, p95  ${at(workMs, 0.95).toFixed(1)} ms (at most 16)`);
    console.log(`rows at once                    ${rows}`);
  } finally {
    await service.stop();
    await server.stop();
    await server.removeData();
  }
};
