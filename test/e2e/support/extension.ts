import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, chromium, type Page, type Worker } from "playwright-core";
import { browserScopes } from "../../../core/apiTokens/browserConnection.ts";
import type { ExtensionBrowser as ExtensionBrowserKind } from "../../../extension/manifest.ts";
import { current } from "../../support/current.ts";
import { hungMs } from "../../support/limits.ts";
import { skipWithout } from "../../support/missing.ts";
import { openAccountApi } from "./accountApi.ts";
import type { RunningServer } from "./server.ts";
import { createAccount } from "./visitor.ts";

/** A Chromium with the built extension, and a profile of its own. */
export interface ExtensionBrowser {
  readonly context: BrowserContext;
  readonly background: Worker;
  /** Opens a page of the extension, such as "options.html", in a tab. */
  readonly openPage: (name: string) => Promise<Page>;
  /** Opens the popup as the toolbar does over this page; in a tab, because a browser without a window shows no popup. */
  readonly openPopup: (over: Page) => Promise<Page>;
  /** Calls the extension by its shortcut in this page. */
  readonly pressShortcut: (page: Page) => Promise<void>;
  /** Calls it by its line in the menu of a field of this page, or of the frame with this path; no driver opens that menu. */
  readonly chooseInMenu: (page: Page, framePath?: string) => Promise<void>;
}

interface Tab {
  readonly id: number;
  readonly url: string;
}

/** What the tests use of the browser in the extension's own contexts. */
interface ChromeForTests {
  readonly tabs: { query: (filter: object) => Promise<readonly Tab[]> };
  readonly commands: { readonly onCommand: { readonly dispatch: (command: string, tab: Tab) => void } };
  readonly contextMenus: {
    /** Fails where the extension has added no such line. */
    readonly update: (id: string, change: object) => Promise<void>;
    readonly onClicked: { readonly dispatch: (info: object, tab: Tab) => void };
  };
  readonly scripting: {
    readonly executeScript: (script: object) => Promise<readonly { frameId: number; result: unknown }[]>;
  };
}

const tabOf = (background: Worker, page: Page): Promise<Tab> =>
  background.evaluate(async (url) => {
    const { chrome } = globalThis as unknown as { readonly chrome: ChromeForTests };
    const tabs = await chrome.tabs.query({});
    const { id = -1 } = tabs.find((tab) => tab.url === url) ?? {};
    return { id, url };
  }, page.url());

type Build = (folder: string) => Promise<unknown>;
const build = new URL("../../../scripts/build/extension.mjs", import.meta.url).href;

/** A whole Chromium: the one that npm installs for the other tests has no extensions. */
const wholeChromium = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
export const wholeChromiumPath = (): string | undefined =>
  process.env["CHROMIUM_PATH"] || wholeChromium.find(existsSync);

/** The sites that the user of a test has allowed. */
type AllowedSites = "all" | "none";

/**
 * Builds the extension into a folder and returns where a browser loads it from. Nobody answers the browser's question for
 * access to sites: a user who has allowed all of them has another manifest; one who has allowed none has the one that is shipped.
 */
export const unpackExtension = async (
  folder: string,
  browser: ExtensionBrowserKind,
  allowed: AllowedSites = "all",
): Promise<string> => {
  const { buildExtension } = (await import(build)) as { readonly buildExtension: Build };
  await buildExtension(join(folder, "built"));
  const unpacked = join(folder, "built", browser);
  const manifest = JSON.parse(await readFile(join(unpacked, "manifest.json"), "utf8"));
  if (allowed === "all") manifest.host_permissions = manifest.optional_host_permissions;
  await writeFile(join(unpacked, "manifest.json"), JSON.stringify(manifest));
  return unpacked;
};

/** Starts a Chromium with the extension, whose files and profile are in a folder; `scale` is of pixels on its screen. */
export const startExtension = async (
  folder: string,
  executablePath: string,
  { scale = 1, allowed }: { readonly scale?: number; readonly allowed?: AllowedSites } = {},
): Promise<ExtensionBrowser> => {
  const unpacked = await unpackExtension(folder, "chromium", allowed);
  const context = await chromium.launchPersistentContext(join(folder, "profile"), {
    executablePath,
    headless: true,
    channel: "chromium",
    reducedMotion: "reduce",
    deviceScaleFactor: scale,
    ignoreDefaultArgs: ["--disable-extensions"],
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--no-first-run",
      "--disable-background-networking",
      "--host-resolver-rules=MAP *.example 127.0.0.1",
      `--disable-extensions-except=${unpacked}`,
      `--load-extension=${unpacked}`,
    ],
  });
  context.setDefaultTimeout(hungMs);
  const background = context.serviceWorkers()[0] ?? (await context.waitForEvent("serviceworker"));
  const openPage = async (name: string, tab?: Tab): Promise<Page> => {
    const page = await context.newPage();
    if (tab !== undefined)
      await page.addInitScript((over) => {
        const { chrome } = globalThis as unknown as { readonly chrome: ChromeForTests };
        chrome.tabs.query = async () => [over];
      }, tab);
    await page.goto(new URL(name, background.url()).href);
    return page;
  };
  return {
    context,
    background,
    openPage,
    openPopup: async (over) => openPage("popup.html", await tabOf(background, over)),
    pressShortcut: async (page) => {
      await page.bringToFront();
      await background.evaluate(
        (tab) => {
          const { chrome } = globalThis as unknown as { readonly chrome: ChromeForTests };
          chrome.commands.onCommand.dispatch("fill-mask", tab);
        },
        await tabOf(background, page),
      );
    },
    chooseInMenu: async (page, framePath) => {
      await page.bringToFront();
      await background.evaluate(
        async ({ tab, framePath: wanted }) => {
          const { chrome } = globalThis as unknown as { readonly chrome: ChromeForTests };
          await chrome.contextMenus.update("fill-mask", {});
          const frames = await chrome.scripting.executeScript({
            target: { tabId: tab.id, allFrames: true },
            func: () => location.pathname,
          });
          const { frameId = 0 } = frames.find(({ result }) => result === wanted) ?? {};
          chrome.contextMenus.onClicked.dispatch({ menuItemId: "fill-mask", editable: true, frameId }, tab);
        },
        { tab: await tabOf(background, page), framePath },
      );
    },
  };
};

/** Starts a Chromium with the extension for the tests of a `describe`; without a Chromium that has extensions they are skipped. */
export const useExtension = (allowed: AllowedSites = "all"): ExtensionBrowser => {
  let running: ExtensionBrowser | undefined;
  let folder = "";
  before(async function () {
    const executablePath = wholeChromiumPath();
    if (executablePath === undefined) return skipWithout(this, "a whole Chromium");
    folder = await mkdtemp(join(tmpdir(), "bauta-extension-"));
    running = await startExtension(folder, executablePath, { allowed });
  });
  after(async () => {
    await running?.context.close();
    if (folder !== "") await rm(folder, { recursive: true, force: true });
  });
  return current(() => running);
};

/** Makes an account, and a token of it as the extension gets one. */
export const createBrowserToken = async (server: RunningServer, email: string): Promise<string> => {
  const api = await openAccountApi(server, await createAccount(server, email));
  const { token } = await api.send<{ readonly token: string }>("POST", "/account/api-tokens", {
    name: "Chromium",
    scopes: browserScopes,
    domain: null,
    lifetimeDays: null,
  });
  await api.leave();
  return token;
};

/** Connects the browser to an account of the server by a token, as by hand, and returns the token. */
export const connectByHand = async (
  browser: ExtensionBrowser,
  server: RunningServer,
  email: string,
): Promise<string> => {
  const token = await createBrowserToken(server, email);
  const options = await browser.openPage("options.html");
  await options.getByLabel("Server address").fill(server.url);
  await options.getByLabel("API token").fill(token);
  await options.getByRole("button", { name: /^Connect/ }).click();
  await options.getByText(/^Connected to/).waitFor();
  await options.close();
  return token;
};
