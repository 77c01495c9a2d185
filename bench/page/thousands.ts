import type { Browser } from "playwright-core";
import type { RunningServer } from "../../test/e2e/support/server.ts";
import { createBenchAccount } from "./account.ts";
import { openSlowed } from "./painting.ts";

const masks = 10_000;
const rounds = 3;
/** So many that a key in fifty is not only the slowest one. */
const words = [
  "7712",
  "9031",
  "4404",
  "1286",
  "5590",
  "3317",
  "8842",
  "6105",
  "2749",
  "4973",
  "8126",
  "3658",
];

/** Measures the list and its search with 10,000 masks; a key is held until the browser can answer the next one. */
export const measureThousands = async (
  browser: Browser,
  server: RunningServer,
  of100Ms: number,
): Promise<void> => {
  const { kept } = await createBenchAccount(server, masks);
  const paintedMs: number[] = [];
  const keyMs: number[] = [];
  const resultMs: number[] = [];
  let heapMb = 0;
  for (let n = 0; n < rounds; n += 1) {
    const context = await browser.newContext({ storageState: kept, viewport: { width: 1280, height: 800 } });
    const page = await context.newPage();
    paintedMs.push(await openSlowed(page, server.url));
    await page.waitForTimeout(2_000);
    const search = page.getByRole("searchbox", { name: "Search masks" });
    for (const word of words) {
      await search.fill("");
      await page.waitForTimeout(600);
      for (const key of word) {
        await search.press(key);
        keyMs.push(
          await page.evaluate(
            () =>
              new Promise<number>((resolve) => {
                const began = performance.now();
                requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - began)));
              }),
          ),
        );
      }
      resultMs.push(
        await page.evaluate(
          (wanted) =>
            new Promise<number>((resolve) => {
              const began = performance.now();
              const look = (): void => {
                const names = [...document.querySelectorAll('ul[aria-label="Email masks"] h2')];
                const fits =
                  names.length > 0 && names.every((name) => name.textContent?.toLowerCase().includes(wanted));
                if (fits || performance.now() - began > 5_000) resolve(performance.now() - began);
                else requestAnimationFrame(look);
              };
              look();
            }),
          word,
        ),
      );
    }
    const session = await context.newCDPSession(page);
    await session.send("HeapProfiler.collectGarbage");
    const { usedSize } = (await session.send("Runtime.getHeapUsage")) as { readonly usedSize: number };
    heapMb = usedSize / 1_000_000;
    await context.close();
  }
  const at = (times: readonly number[], share: number): number =>
    times.toSorted((one, other) => one - other)[
      Math.min(times.length - 1, Math.floor(times.length * share))
    ] ?? Number.NaN;
  const first = at(paintedMs, 0.5);
  console.log(`${masks} masks, CPU 4 ×`);
  console.log(
    `list painted            ${first.toFixed(0)} ms, ${(first / of100Ms).toFixed(2)} of 100 masks (at most 1.15)`,
  );
  console.log(`a key, p98              ${at(keyMs, 0.98).toFixed(0)} ms (at most 50)`);
  console.log(`result of a search      ${at(resultMs, 0.5).toFixed(0)} ms (at most 350)`);
  console.log(`heap                    ${heapMb.toFixed(1)} MB (at most 12)`);
};
