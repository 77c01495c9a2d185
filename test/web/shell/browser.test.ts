import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { AxeBuilder } from "@axe-core/playwright";
import { expect } from "chai";
import type { Browser, Page } from "playwright-core";
import { launchBrowser } from "../../support/browser.ts";
import { servePageOnFakes } from "../support/servePage.ts";
import type {} from "./pageOnFakes.tsx";

const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'nonce-page'",
  "require-trusted-types-for 'script'",
  "trusted-types serviceWorker keyWorker readMail",
].join("; ");

const document = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Page</title>
<meta name="viewport" content="width=device-width"><meta property="csp-nonce" nonce="page">
<link rel="stylesheet" href="/page.css"></head>
<body><div id="root"></div><script type="module" src="/page.js"></script></body></html>`;

const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** The fakes wait for promises by Node's timers; a browser's serve as well. */
const timersOfBrowsers = {
  name: "timers of browsers",
  setup: ({
    onResolve,
    onLoad,
  }: Parameters<NonNullable<Parameters<typeof build>[0]["plugins"]>[number]["setup"]>[0]) => {
    onResolve({ filter: /^node:timers\/promises$/ }, () => ({ path: "timers", namespace: "browser" }));
    onLoad({ filter: /.*/, namespace: "browser" }, () => ({
      contents: "export const setImmediate = () => new Promise((kept) => setTimeout(kept));",
    }));
    onResolve({ filter: /^(chai|sinon)$/ }, () => ({ path: "none", namespace: "browser" }));
  },
};

const bundle = async (): Promise<ReadonlyMap<string, Uint8Array>> => {
  const styles = ["base", "tokens"].map(
    (name) => `import ${JSON.stringify(path(`../../../web/styles/${name}.css`))};`,
  );
  const { outputFiles } = await build({
    stdin: {
      contents: [...styles, `import ${JSON.stringify(path("pageOnFakes.tsx"))};`].join("\n"),
      resolveDir: path("."),
      sourcefile: "page.js",
    },
    bundle: true,
    splitting: true,
    write: false,
    format: "esm",
    jsx: "automatic",
    entryNames: "page",
    outdir: path("."),
    define: { "process.env.NODE_ENV": '"production"' },
    loader: { ".module.css": "local-css" },
    plugins: [timersOfBrowsers],
    banner: { js: "globalThis.Buffer ??= { from: (text) => ({ toString: () => btoa(text) }) };" },
  });
  return new Map(outputFiles.map((file) => [`/${basename(file.path)}`, file.contents]));
};

/** The styles of late parts come with the page, as in the product. */
const withLateStyles = (files: ReadonlyMap<string, Uint8Array>): Uint8Array =>
  Buffer.concat([...files].filter(([name]) => name.endsWith(".css")).map(([, bytes]) => bytes));

const serve = async (files: ReadonlyMap<string, Uint8Array>): Promise<Server> => {
  const styles = withLateStyles(files);
  const server = createServer((request, response) => {
    const file = request.url === "/page.css" ? styles : files.get(request.url ?? "");
    const type = request.url?.endsWith(".css") ? "text/css" : file ? "text/javascript" : "text/html";
    response.writeHead(200, { "content-type": type, "content-security-policy": contentSecurityPolicy });
    response.end(file ?? document);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
};

type Theme = "light" | "dark";

describe("The signed-in page in a real browser", function () {
  this.timeout(60_000);

  let server: Server;
  let browser: Browser;
  let page: Page;
  let complaints: string[];

  const open = async (width: number, theme: Theme = "light"): Promise<void> => {
    complaints = [];
    const context = await browser.newContext({
      viewport: { width, height: 740 },
      colorScheme: theme,
      reducedMotion: "reduce",
    });
    page = await context.newPage();
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(error.message));
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    await page.evaluate(
      (dark) => window.hands.page.systemTheme$.set(dark ? "dark" : "light"),
      theme === "dark",
    );
    await page.getByRole("heading", { name: "Your Email Masks" }).waitFor();
  };

  const expectClean = async (where: string): Promise<void> => {
    const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
    const found = await new AxeBuilder({ page }).withTags(tags).analyze();
    const violations = found.violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`,
    );
    expect(violations, where).to.deep.equal([]);
    const overflow = await page.evaluate(
      () => window.document.documentElement.scrollWidth - window.document.documentElement.clientWidth,
    );
    expect(overflow, `sideways scrolling ${where}`).to.equal(0);
    const shots = process.env["SCREENSHOTS"];
    if (shots) await page.screenshot({ path: `${shots}/${where.replace(/\W+/g, "-")}.png` });
  };

  const pass = (ms: number): Promise<void> => page.evaluate((time) => window.hands.clock.advance(time), ms);
  const focusOn = (name: string | RegExp): Promise<void> =>
    page.getByRole("button", { name }).and(page.locator(":focus")).waitFor({ timeout: 5_000 });

  before(async () => {
    server = await servePageOnFakes();
    browser = await launchBrowser();
  });

  afterEach(async () => {
    await page.context().close();
  });

  after(async () => {
    await browser.close();
    server.close();
  });

  for (const theme of ["light", "dark"] as const)
    for (const width of [320, 768, 1280])
      it(`leaves axe nothing to find offline and with its notifications, ${theme} at ${width} px`, async () => {
        const where = (what: string): string => `${what} ${theme} ${width}`;
        await open(width, theme);
        await page.evaluate(() => {
          const { product, clock, sockets } = window.hands;
          const long =
            "The mask for the shop at the corner has received more than eighty per cent of its mail.";
          const kinds = ["info", "success", "warning", "error", "info"];
          for (const [at, type] of kinds.entries())
            product.notifications.add({
              type,
              read: at < 2,
              message: at === 3 ? long : `Notification ${at}.`,
              timestamp: clock.now(),
            });
          sockets.latest().accept();
        });
        await pass(500);
        await page.getByRole("button", { name: "Notifications, 3 unread" }).click();
        await page.getByRole("dialog", { name: "Notifications" }).getByText("3 unread").waitFor();
        await page.getByRole("button", { name: "Delete" }).first().click();
        await expectClean(where("notifications"));
        await page.keyboard.press("Escape");
        await page.getByRole("dialog").waitFor({ state: "detached" });
        await page.evaluate(() => window.hands.sockets.latest().drop(1012));
        await pass(3_000);
        await page.getByRole("button", { name: "Diagnose" }).click();
        await page.getByRole("region", { name: "Diagnosis" }).getByText("Checked at").waitFor();
        await expectClean(where("diagnosis"));
        for (let tries = 0; tries < 5; tries += 1) {
          await page.evaluate(() => window.hands.sockets.latest().drop(1006));
          await pass(13_000);
        }
        await page.getByText("Connection to server lost. Please refresh the page to reconnect.").waitFor();
        await expectClean(where("lost"));
        expect(complaints).to.deep.equal([]);
      });

  it("opens the notifications by the keyboard, keeps the focus in them, and gives it back", async () => {
    await open(1280);
    await page.evaluate(() => {
      for (let n = 0; n < 3; n += 1) window.hands.product.notifications.add();
      return window.hands.app.notifications.refresh()();
    });
    await page.getByRole("button", { name: "Notifications, 3 unread" }).focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Notifications" });
    await dialog.waitFor();
    for (let presses = 0; presses < 12; presses += 1) {
      await page.keyboard.press("Tab");
      expect(await dialog.evaluate((element) => element.contains(window.document.activeElement))).to.equal(
        true,
      );
    }
    await dialog.getByRole("button", { name: "Delete" }).first().focus();
    await page.keyboard.press("Enter");
    await focusOn(/^Undo/);
    await page.keyboard.press("ArrowDown");
    expect(await page.locator(":focus").getAttribute("aria-label")).to.be.oneOf(["Mark as read", "Delete"]);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await focusOn(/^Notifications/);
  });
});
