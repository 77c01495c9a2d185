import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect } from "chai";
import { build } from "esbuild";
import type { BrowserContext, Page } from "playwright-core";
import { until } from "../../../server/support/until.ts";
import { useBrowser } from "../../../support/browser.ts";

const root = join(import.meta.dirname, "../../../..");

const bundled = async (contents: string, define: Readonly<Record<string, string>> = {}): Promise<string> => {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: root, loader: "ts" },
    absWorkingDir: root,
    bundle: true,
    write: false,
    format: "esm",
    define,
  });
  return outputFiles[0]?.text ?? "";
};

/** The script of a page that shows in its title that a new version is waiting, and activates it on request. */
const pageScript = `
  import { registerWorker } from "./web/app/offline/registerWorker.ts";
  void registerWorker(window, (take) => {
    window.take = take;
    document.title += ", and another is ready";
  });
`;

const policy =
  "default-src 'none'; script-src 'self'; connect-src 'self'; require-trusted-types-for 'script'; trusted-types serviceWorker keyWorker readMail";

type Mood = "up" | "silent" | "bad gateway";

/** A server of a page and its service worker, which can publish a new version and stop responding. */
interface Site {
  readonly url: string;
  version: string;
  /** The version of the page, where it differs from the worker's. */
  page?: string;
  /** The configuration in the page. */
  configuration: string;
  mood: Mood;
  /** The paths of all requests so far. */
  readonly requests: string[];
  readonly close: () => Promise<void>;
}

const startSite = async (): Promise<Site> => {
  const script = await bundled(pageScript);
  const worker = async (version: string): Promise<string> =>
    bundled('import "./web/serviceWorker/worker.ts";', {
      __SHELL__: JSON.stringify({
        version,
        main: `main-${version}.js`,
        files: [`assets/main-${version}.js`, `assets/late-${version}.js`],
      }),
    });
  const answers = async (
    path: string,
    { version, page = version, configuration }: Site,
  ): Promise<readonly [string, string] | null> => {
    if (path === "/")
      return [
        "text/html",
        `<!doctype html><title>${page}</title><meta name="configuration" content="${configuration}"><script type="module" src="/assets/main-${page}.js"></script>`,
      ];
    if (path === "/serviceWorker.js") return ["text/javascript", await worker(version)];
    if (path === `/assets/main-${version}.js`) return ["text/javascript", script];
    if (path === `/assets/late-${version}.js`) return ["text/javascript", `late of ${version}`];
    if (path === "/masks") return ["application/json", "{}"];
    return path === "/outbox" ? ["text/html", "<title>outbox</title>"] : null;
  };
  const server: Server = createServer((request, response) => {
    site.requests.push(request.url ?? "");
    if (site.mood === "silent") return;
    if (site.mood === "bad gateway") {
      response.writeHead(502, { "content-type": "text/html" }).end("<title>Bad Gateway</title>");
      return;
    }
    void answers(request.url ?? "", site).then((answer) => {
      const [type, text] = answer ?? ["text/plain", "nothing"];
      const headers = {
        "content-type": type,
        "content-security-policy": policy,
        "cache-control": "no-store",
      };
      response.writeHead(answer ? 200 : 404, headers).end(text);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const site: Site = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    version: "one",
    configuration: "first",
    mood: "up",
    requests: [],
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return site;
};

describe("The service worker, in a real browser", () => {
  const browser = useBrowser();
  let context: BrowserContext;
  let page: Page;
  let site: Site;

  beforeEach(async () => {
    site = await startSite();
    context = await browser().newContext();
    page = await context.newPage();
    await page.goto(site.url);
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  });
  afterEach(async () => {
    await context.close();
    await site.close();
  });

  const cachedPage = (): Promise<string | null> =>
    page.evaluate(async () => (await (await caches.match("/"))?.text()) ?? null);
  const cacheNames = (): Promise<readonly string[]> => page.evaluate(() => caches.keys());
  const lookForNew = (on: Page): Promise<void> =>
    on.evaluate(async () => {
      await (await navigator.serviceWorker.getRegistration())?.update();
    });
  const untilTitle = (on: Page, title: string): Promise<unknown> =>
    on.waitForFunction((wanted) => document.title === wanted, title);
  const take = (on: Page): Promise<void> =>
    on.evaluate(() => (window as unknown as { readonly take: () => void }).take());
  const release = async (version: string): Promise<void> => {
    site.version = version;
    await lookForNew(page);
  };

  it("serves the cached page when the network does not answer", async () => {
    site.mood = "silent";
    const before = site.requests.length;
    await page.goto(site.url);
    expect(await page.title()).to.equal("one");
    await until("its page is asked for", () => site.requests.slice(before).includes("/"));
  });

  it("opens the cached page at once, and takes over what has changed in it for the next visit", async () => {
    site.configuration = "second";
    const configuration = (): Promise<string | null> =>
      page.locator("meta[name=configuration]").getAttribute("content");
    await page.goto(site.url);
    expect(await configuration()).to.equal("first");
    await until("the change is cached", async () => (await cachedPage())?.includes("second") === true);
    await page.goto(site.url);
    expect(await configuration()).to.equal("second");
  });

  it("opens what the server sends after it has sent another page, such as a sign-in of a proxy", async () => {
    site.page = "sign-in of a proxy";
    await page.goto(site.url);
    await until("the cached page is gone", async () => (await cachedPage()) === null);
    await page.goto(site.url);
    expect(await page.title()).to.equal("sign-in of a proxy");
  });

  it("serves the cached page when a proxy answers for a server that is down", async () => {
    site.mood = "bad gateway";
    await page.goto(site.url);
    expect(await page.title()).to.equal("one");
  });

  it("passes other requests to the server, and caches none of its responses", async () => {
    await page.evaluate(() => fetch("/masks"));
    await page.goto(`${site.url}/outbox`);
    expect(await page.title()).to.equal("outbox");
    site.mood = "bad gateway";
    expect((await page.goto(`${site.url}/outbox`))?.status()).to.equal(502);
    await page.goto(site.url);
    expect(await page.evaluate(() => fetch("/masks").then(({ status }) => status))).to.equal(502);
  });

  it("keeps a new version waiting until the user activates it, and shows it then", async () => {
    await release("two");
    await untilTitle(page, "one, and another is ready");
    await lookForNew(page);
    expect(await page.title()).to.equal("one, and another is ready");
    await take(page);
    await untilTitle(page, "two");
    site.mood = "silent";
    await page.goto(site.url);
    expect(await page.title()).to.equal("two");
  });

  it("shows the new version at the next visit in any case", async () => {
    await release("two");
    await untilTitle(page, "one, and another is ready");
    await page.goto(site.url);
    await page.waitForFunction(() => document.title.startsWith("two"));
  });

  it("keeps the lazily loaded files of the previous version for its open tabs, and at most two versions", async () => {
    const other = await context.newPage();
    await other.goto(site.url);
    await release("two");
    await untilTitle(page, "one, and another is ready");
    await take(page);
    await untilTitle(page, "two");
    const late = (): Promise<string> =>
      other.evaluate(() => fetch("/assets/late-one.js").then((answer) => answer.text()));
    expect(await late()).to.equal("late of one");
    expect(await other.title()).to.match(/^one/);
    await release("three");
    await untilTitle(page, "two, and another is ready");
    await take(page);
    await untilTitle(page, "three");
    await until("the oldest cache is gone", async () => (await cacheNames()).length === 2);
    expect(await cacheNames()).to.deep.equal(["shell-two", "shell-three"]);
  });

  it("caches nothing of a version whose page is not available yet", async () => {
    site.page = "one";
    site.version = "two";
    const requests = site.requests.length;
    await lookForNew(page);
    await until("its page is asked for", () => site.requests.slice(requests).includes("/"));
    await until("the new cache is gone", async () => (await cacheNames()).join() === "shell-one");
    expect(await page.title()).to.equal("one");
  });
});
