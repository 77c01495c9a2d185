import { join } from "node:path";
import { expect } from "chai";
import { build } from "esbuild";
import type { BrowserContext, Page } from "playwright-core";
import { Observable, Subject } from "rxjs";
import { createWebTabs } from "../../../adapters/browser/webTabs.ts";
import { cryptoRandom, systemClock } from "../../../adapters/system/clockAndRandom.ts";
import { createState } from "../../../core/kernel/state.ts";
import type { Tabs } from "../../../core/ports/tabs.ts";
import { tabsContract } from "../../contracts/tabsContract.ts";
import { createMemoryStorage } from "../../fakes/memoryStorage.ts";
import { useBrowser } from "../../support/browser.ts";
import { letPass } from "../../support/wallTime.ts";
import { openWindow } from "./browserWindow.ts";

const root = join(import.meta.dirname, "../../..");

/** Bundles the adapter as the build does, with the lock in a separate chunk. */
const bundle = async (): Promise<Map<string, string>> => {
  const source = `
    import { createWebStorage } from "./adapters/browser/webStorage.ts";
    import { createWebTabs } from "./adapters/browser/webTabs.ts";
    import { cryptoRandom, systemClock } from "./adapters/system/clockAndRandom.ts";
    const storage = createWebStorage(window).local;
    window.tabs = createWebTabs(window, { storage, clock: systemClock, random: cryptoRandom });
  `;
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: root, loader: "ts", sourcefile: "page.ts" },
    bundle: true,
    splitting: true,
    format: "esm",
    target: "es2022",
    outdir: "/page",
    entryNames: "main",
    write: false,
    logLevel: "silent",
    alias: { "fp-ts/lib": "fp-ts/es6" },
    absWorkingDir: root,
  });
  return new Map(outputFiles.map(({ path, text }) => [path.replace(/^.*\/page/, ""), text]));
};

interface TabPage {
  readonly tabs: Tabs;
}

/** Controls a tab in the browser; its callbacks reach this process through the page's bindings. */
const tabOn = async (page: Page): Promise<Tabs> => {
  const works = new Map<number, (hadToWait: boolean) => Promise<unknown>>();
  const messages$ = new Subject<string>();
  let count = 0;
  await page.exposeFunction("runWork", (id: number, hadToWait: boolean) => works.get(id)?.(hadToWait));
  await page.exposeFunction("hear", (text: string) => messages$.next(text));
  return {
    runExclusive: (name, limits, work) => {
      count += 1;
      works.set(count, work);
      return page.evaluate(
        ({ id, name, limits }) => {
          const { tabs, runWork } = window as unknown as TabPage & {
            runWork: (id: number, hadToWait: boolean) => Promise<never>;
          };
          return tabs.runExclusive(name, limits, (hadToWait) => runWork(id, hadToWait));
        },
        { id: count, name, limits },
      );
    },
    broadcast: (channel, text) => {
      void page.evaluate(
        ({ channel, text }) => (window as unknown as TabPage).tabs.broadcast(channel, text),
        { channel, text },
      );
    },
    messages: (channel) =>
      new Observable((listener) => {
        const listening = messages$.subscribe(listener);
        const start = page.evaluateHandle((channel) => {
          const { tabs, hear } = window as unknown as TabPage & { hear: (text: string) => void };
          return tabs.messages(channel).subscribe(hear);
        }, channel);
        return () => {
          listening.unsubscribe();
          void start.then((subscription) => subscription.evaluate((one) => one.unsubscribe()));
        };
      }),
    visible$: createState(true),
  };
};

describe("The tabs of Chromium", () => {
  const browser = useBrowser();
  let files: Map<string, string>;
  let context: BrowserContext;
  before(async () => {
    files = await bundle();
  });
  afterEach(() => context.close());

  /** Opens pages of an origin that this test serves. */
  const subjectAt = (origin: string) => async () => {
    context = await browser().newContext();
    await context.route(`${origin}/**`, (route) => {
      const script = files.get(new URL(route.request().url()).pathname);
      return script === undefined
        ? route.fulfill({
            contentType: "text/html",
            body: '<!doctype html><title>tab</title><script type="module" src="/main.js"></script>',
          })
        : route.fulfill({ contentType: "text/javascript", body: script });
    });
    const open = async (): Promise<Tabs> => {
      const page = await context.newPage();
      await page.goto(origin);
      await page.waitForFunction(() => "tabs" in window);
      return tabOn(page);
    };
    return { open, wait: letPass };
  };

  describe("over a secure connection, with Web Locks", () => {
    tabsContract(subjectAt("https://bauta.test"));
  });

  describe("over plain HTTP, with a lease in the storage", () => {
    tabsContract(subjectAt("http://bauta.test"));

    it("which is removed when the lock is released", async () => {
      const { open } = await subjectAt("http://bauta.test")();
      const tab = await open();
      const during = await tab.runExclusive("turn", { maxWaitMs: 500 }, async () =>
        context.pages()[0]?.evaluate(() => [isSecureContext, Object.keys(localStorage)]),
      );
      expect(during).to.deep.equal([false, ["turn"]]);
      expect(await context.pages()[0]?.evaluate(() => Object.keys(localStorage))).to.deep.equal([]);
    });
  });
});

describe("A tab", () => {
  const deps = { storage: createMemoryStorage().local, clock: systemClock, random: cryptoRandom };

  it("reports whether it is visible", () => {
    const { window } = openWindow();
    const { visible$ } = createWebTabs(window as never, deps);
    const seen: boolean[] = [];
    visible$.subscribe((visible) => seen.push(visible));
    for (const state of ["hidden", "hidden", "visible"]) {
      Object.defineProperty(window.document, "visibilityState", { value: state, configurable: true });
      const event = window.document.createEvent("Event");
      event.initEvent("visibilitychange", false, false);
      window.document.dispatchEvent(event);
    }
    expect(seen).to.deep.equal([true, false, true]);
    expect(visible$.value).to.equal(true);
  });

  it("shares neither messages nor turns with another installation on the host", async () => {
    const { window } = openWindow();
    const names: string[] = [];
    const locks = {
      request: async (name: string, _options: object, run: (lock: object) => unknown) => {
        names.push(name);
        return run({});
      },
    };
    const tabs = createWebTabs(
      {
        document: window.document,
        navigator: { locks: locks as unknown as LockManager },
        BroadcastChannel: class extends EventTarget {
          constructor(name: string) {
            super();
            names.push(name);
          }
          postMessage() {}
          close() {}
        } as unknown as typeof BroadcastChannel,
      },
      { ...deps, path: "/bauta" },
    );
    tabs.broadcast("masks", "changed");
    await tabs.runExclusive("refresh", { maxWaitMs: 500 }, async () => undefined);
    expect(names).to.deep.equal(["masks/bauta", "refresh/bauta"]);
  });

  it("sends and receives no messages where the browser has no BroadcastChannel", () => {
    const { window } = openWindow();
    const tabs = createWebTabs({ document: window.document, navigator: {} }, deps);
    const received: string[] = [];
    tabs.messages("any").subscribe((text) => received.push(text));
    tabs.broadcast("any", "hello");
    expect(received).to.deep.equal([]);
  });
});
