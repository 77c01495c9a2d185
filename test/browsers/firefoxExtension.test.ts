import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { createBrowserToken, unpackExtension } from "../e2e/support/extension.ts";
import { formWith, useSites } from "../e2e/support/forms.ts";
import { useServer } from "../e2e/support/product.ts";
import { skipWithout } from "../support/missing.ts";
import type { BrowserPage } from "./support/driver.ts";
import { firefox, startFirefox } from "./support/firefox.ts";

/** Firefox gives each installation a random address; the tests choose it. */
const address = "6f1b3c52-8f5e-4a53-9d39-0d9e6f3f0a11";
const settings: Readonly<Record<string, string | boolean>> = {
  "extensions.webextensions.uuids": JSON.stringify({ "extension@bauta.email": address }),
  "network.dns.localDomains": "shop.example,www.shop.example,veiled.example,open.example",
  // No driver reaches the browser's own question; this answers it with yes.
  "extensions.webextOptionalPermissionPrompts": false,
};

/** Waits until the body of a function returns a text that is not empty; returns an empty one after `withinMs`. */
const textOf = async (
  page: BrowserPage,
  body: string,
  withinMs = Number.POSITIVE_INFINITY,
): Promise<string> => {
  const end = performance.now() + withinMs;
  for (;;) {
    const text = await page.run(`await new Promise((passed) => setTimeout(passed, 20)); ${body}`);
    if (typeof text === "string" && text !== "") return text;
    if (performance.now() > end) return "";
  }
};

/** After this time what was pressed or opened is tried again: the button moved away, or the permission came later. */
const againAfterMs = 5_000;

const click = (page: BrowserPage, x: number, y: number): Promise<void> =>
  page.perform([
    {
      type: "pointer",
      id: "mouse",
      parameters: { pointerType: "mouse" },
      actions: [
        { type: "pointerMove", x: Math.round(x), y: Math.round(y) },
        { type: "pointerDown", button: 0 },
        { type: "pointerUp", button: 0 },
      ],
    },
  ]);

interface Box {
  readonly right: number;
  readonly middle: number;
}

describe("The extension in Firefox", () => {
  const server = useServer();
  const sites = useSites();
  let folder = "";
  let driver: Awaited<ReturnType<typeof startFirefox>> | undefined;
  before(async function () {
    const missing = firefox.missing();
    if (missing.length > 0) return skipWithout(this, missing.join(" and "));
    folder = await mkdtemp(join(tmpdir(), "bauta-extension-"));
    // Without this no driver opens the pages of an extension.
    driver = await startFirefox(settings, ["--remote-allow-system-access"]);
    await driver.installExtension(await unpackExtension(folder, "firefox", "none"));
  });
  after(async () => {
    await driver?.stop();
    if (folder !== "") await rm(folder, { recursive: true, force: true });
  });

  afterEach(async () => {
    const page = await pageOf();
    await openOptions(page);
    await page.run(
      "const { origins } = await browser.permissions.getAll(); await browser.permissions.remove({ origins }); return null;",
    );
  });

  const pageOf = async (): Promise<BrowserPage> => {
    const page = await driver?.newPage();
    if (page === undefined) throw new Error("there is no page");
    return page;
  };

  const openOptions = (page: BrowserPage): Promise<void> =>
    page.open(`moz-extension://${address}/options.html`);

  /** Presses a button of the options, once it is there, until a sentence is said. */
  const choose = async (page: BrowserPage, name: string, sentence: string): Promise<void> => {
    await openOptions(page);
    const button = `[...document.querySelectorAll("button")].find(({ textContent }) => textContent === ${JSON.stringify(name)})`;
    const said = `return document.body.textContent.includes(${JSON.stringify(sentence)}) ? "said" : ""`;
    await textOf(page, `return ${button}?.textContent ?? ""`);
    for (;;) {
      const at = (await page.run(
        `const button = ${button};
         if (button === undefined) return null;
         button.scrollIntoView({ block: "center" });
         const { left, top, width, height } = button.getBoundingClientRect();
         return { x: left + width / 2, y: top + height / 2 };`,
      )) as { readonly x: number; readonly y: number } | null;
      if (at !== null) await click(page, at.x, at.y);
      if ((await textOf(page, said, againAfterMs)) !== "") return;
    }
  };
  const allow = (page: BrowserPage): Promise<void> =>
    choose(page, "Allow on all sites", "The button stands on all sites.");
  const takeBack = (page: BrowserPage): Promise<void> =>
    choose(page, "Remove from all sites", "The button stands on no site yet.");

  const connect = async (page: BrowserPage, email: string): Promise<string> => {
    const token = await createBrowserToken(server, email);
    await openOptions(page);
    const connection = {
      server: server.url,
      token,
      tokenId: "t1",
      name: "Firefox",
      scopes: ["masks:create", "masks:read", "masks:write"],
    };
    await page.run(
      "await browser.storage.local.set({ connection: arguments[0] }); return null;",
      JSON.stringify(connection),
    );
    return token;
  };

  /** Opens a form and clicks into its field. */
  const enter = async (page: BrowserPage, url: string): Promise<Box> => {
    await page.open(url);
    const box = (await page.run(
      `const { right, top, height } = document.getElementById("mail").getBoundingClientRect();
       return { right, middle: top + height / 2 };`,
    )) as Box;
    await click(page, box.right - 100, box.middle);
    return box;
  };
  const place = 'return document.querySelector("div[popover]")?.localName ?? ""';
  const value = 'return document.getElementById("mail").value';

  /** Opens a form until the button stands in its field. */
  const enterWithButton = async (page: BrowserPage, url: string): Promise<Box> => {
    for (;;) {
      const box = await enter(page, url);
      if ((await textOf(page, place, againAfterMs)) !== "") return box;
    }
  };

  const fill = async (page: BrowserPage, url: string): Promise<string> => {
    const { right, middle } = await enterWithButton(page, url);
    for (;;) {
      await click(page, right - 18, middle);
      const filled = await page.run(value);
      if (filled !== "") return String(filled);
    }
  };

  it("fills in a new mask, finds it at the second visit, and shows it in its popup", async () => {
    const page = await pageOf();
    await openOptions(page);
    expect(await textOf(page, 'return document.querySelector("h1")?.textContent ?? ""')).to.equal(
      "Connection and sites",
    );
    await connect(page, "firefox@example.org");
    await allow(page);
    const mask = await fill(page, sites.at("shop.example", "/plain"));
    expect(mask).to.match(/@masks\.localhost$/);
    expect(await page.run("return document.title")).to.equal(mask);
    expect(await fill(page, sites.at("www.shop.example", "/strict"))).to.equal(mask);
    await page.open(`moz-extension://${address}/popup.html`);
    expect(
      await textOf(page, 'return document.querySelector("[data-copy]")?.getAttribute("aria-label") ?? ""'),
    ).to.equal(`Copy ${mask}`);
  });

  it("stands in the fields of sites from when the user allows them until that is taken back", async () => {
    const page = await pageOf();
    await connect(page, "access@example.org");
    await enter(page, sites.at("open.example", "/plain"));
    expect(await page.run(place)).to.equal("");
    await allow(page);
    await enterWithButton(page, sites.at("open.example", "/plain"));
    await takeBack(page);
    await enter(page, sites.at("open.example", "/plain"));
    expect(await page.run(place)).to.equal("");
  });

  it("gives a page nothing whose veil over the button lets presses through", async () => {
    const veil = `new MutationObserver((records) => {
      for (const { addedNodes } of records)
        for (const host of addedNodes)
          if (host.popover === "manual" && host.id === "") {
            const veil = document.createElement("div");
            veil.id = "veil";
            veil.popover = "manual";
            veil.style.cssText =
              "position:fixed;inset:0;width:100vw;height:100vh;background:#fff;pointer-events:none";
            document.body.append(veil);
            setTimeout(() => veil.showPopover(), 50);
          }
    }).observe(document.documentElement, { childList: true });`;
    sites.serve("/veiled", formWith(veil));
    const page = await pageOf();
    const token = await connect(page, "veiled@example.org");
    await allow(page);
    const { right, middle } = await enterWithButton(page, sites.at("veiled.example", "/veiled"));
    await textOf(page, 'return document.querySelector("#veil:popover-open")?.id ?? ""');
    for (let times = 0; times < 60; times += 1) {
      await click(page, right - 18, middle);
      await page.run("await new Promise((painted) => requestAnimationFrame(painted)); return null;");
    }
    expect(await fill(page, sites.at("open.example", "/plain"))).to.match(/@masks\.localhost$/);
    const answer = await fetch(`${server.url}/masks`, { headers: { authorization: `Bearer ${token}` } });
    const { masks } = (await answer.json()) as { readonly masks: readonly { readonly madeFor?: string }[] };
    expect(masks.map(({ madeFor }) => madeFor)).to.deep.equal(["open.example"]);
  });
});
