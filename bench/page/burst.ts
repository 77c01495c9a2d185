import type { Browser } from "playwright-core";
import { csrfCookie, csrfHeader } from "../../core/api/csrfNames.ts";
import type { RunningServer } from "../../test/e2e/support/server.ts";
import { exchange } from "../http.ts";
import type { BenchAccount } from "./account.ts";
import { painted, throttled } from "./painting.ts";

const changes = 100;
/** After this time what the page starts with is over and the socket is connected, in milliseconds. */
const settledMs = 8_000;
/** How long messages and what they cause are watched, in milliseconds. */
const watchedMs = 5_000;

/** Changes masks as another device does, all at once. */
const changeMasks = async ({ url }: RunningServer, { kept, token }: BenchAccount): Promise<void> => {
  const headers = {
    authorization: `Bearer ${token}`,
    cookie: kept.cookies.map(({ name, value }) => `${name}=${value}`).join("; "),
    [csrfHeader]: kept.cookies.find(({ name }) => name === csrfCookie)?.value ?? "",
    "content-type": "application/json",
  };
  const { body } = await exchange({ url: `${url}/masks`, headers });
  const { masks } = JSON.parse(body.toString()) as { readonly masks: readonly { readonly id: string }[] };
  const change = (n: number) =>
    exchange({
      url: `${url}/masks/${masks[n % masks.length]?.id}`,
      method: "PUT",
      headers: { ...headers, "x-request-id": `burst-${n}` },
      body: JSON.stringify({ description: `Changed ${n}` }),
    });
  await Promise.all(Array.from({ length: changes }, (_, n) => change(n)));
};

/** Measures the tasks over 50 ms in an open list while a burst of socket messages arrives. */
export const measureBurst = async (
  browser: Browser,
  server: RunningServer,
  account: BenchAccount,
): Promise<void> => {
  const context = await browser.newContext({
    storageState: account.kept,
    viewport: { width: 1280, height: 800 },
  });
  const page = await context.newPage();
  let received = 0;
  page.on("websocket", (socket) => {
    socket.on("framereceived", ({ payload }) => {
      if (String(payload).includes("data_update")) received += 1;
    });
  });
  await page.goto(server.url, { waitUntil: "commit" });
  await painted(page);
  await page.waitForTimeout(settledMs);
  await throttled(page);
  received = 0;
  const tasks = page.evaluate(
    (ms) =>
      new Promise<readonly number[]>((resolve) => {
        const durations: number[] = [];
        new PerformanceObserver((list) => {
          durations.push(...list.getEntries().map(({ duration }) => duration));
        }).observe({ type: "longtask" });
        setTimeout(() => resolve(durations), ms);
      }),
    watchedMs,
  );
  await changeMasks(server, account);
  const durations = await tasks;
  console.log(
    `burst of ${changes} changes    ${received} messages, ${durations.length} tasks over 50 ms (at most 0), longest ${Math.max(0, ...durations).toFixed(0)} ms`,
  );
  await context.close();
};
