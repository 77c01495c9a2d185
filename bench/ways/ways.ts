import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { createTransport } from "nodemailer";
import { chromium } from "playwright-core";
import { composeServer } from "../../server/app/app.ts";
import { readConfig } from "../../server/platform/config/config.ts";
import { openDataDir } from "../../server/platform/config/configuredResources.ts";
import { createMask, maskCard, signUp, visit } from "../../test/e2e/support/visitor.ts";
import { startBrowserServer } from "../../test/support/browserServer.ts";
import { type Observe, observePage, observeProcess } from "./coverage.ts";

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });

const startProduct = async () => {
  const port = await freePort();
  const smtpPort = await freePort();
  const dataDir = await mkdtemp(join(tmpdir(), "bauta-ways-"));
  const config = readConfig({
    PORT: String(port),
    SMTP_PORT: String(smtpPort),
    DATA_DIR: dataDir,
    LOG_LEVEL: "silent",
  });
  await openDataDir(dataDir);
  const stop = await (await composeServer(config)).start();
  return {
    url: `http://127.0.0.1:${port}`,
    smtpPort,
    dataDir,
    stop: async () => {
      await stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
};

const settled = (): Promise<void> => pause(1_500);

const print = (title: string, files: readonly string[]): void => {
  console.log(`\n${title}: ${files.length}`);
  for (const file of files) console.log(`  ${file}`);
};

/**
 * Prints the product files whose functions run during a repeated action, in the built page (`npm run build`)
 * and in the server, with what renders again. ARCHITECTURE.md lists those on a mail's or request's way.
 */
export const run = async (): Promise<void> => {
  const product = await startProduct();
  const browserServer = await startBrowserServer();
  const browser = await chromium.connect(browserServer.variables["TEST_BROWSER"] ?? "");
  try {
    const server = {
      ...product,
      pid: process.pid,
      output: () => "",
      stop: async () => null,
      restart: () => Promise.reject(new Error("it is not restarted")),
      removeData: async () => {},
    };
    const visitor = await visit(browser, server, { theme: "light", width: 1280 });
    const { page } = visitor;
    await signUp(visitor, server, "ways@example.org");
    const address = await createMask(page, "Shop");
    const observers: readonly (readonly [string, Observe])[] = [
      ["page", observePage(page)],
      ["server", observeProcess],
    ];
    const observe = async (way: string, act: () => Promise<unknown>): Promise<void> => {
      await act();
      await settled();
      const started = await Promise.all(
        observers.map(async ([side, start]) => [side, await start()] as const),
      );
      await act();
      await settled();
      for (const [side, stop] of started) print(`${way}, ${side}`, await stop());
    };
    const toggle = maskCard(page, "Shop").getByRole("switch").first();
    await observe("a click on a mask's switch", () => toggle.click({ force: true }));
    const transport = createTransport({ host: "127.0.0.1", port: product.smtpPort, ignoreTLS: true });
    await observe("a mail and the socket message it causes", () =>
      transport.sendMail({ from: "shop@example.com", to: address, subject: "Order", text: "Thanks\n" }),
    );
    transport.close();
  } finally {
    await browser.close();
    await browserServer.stop();
    await product.stop();
  }
};
