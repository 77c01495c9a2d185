import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { createBrowserToken, unpackExtension } from "../e2e/support/extension.ts";
import { useSites } from "../e2e/support/forms.ts";
import { useServer } from "../e2e/support/product.ts";
import { skipWithout } from "../support/missing.ts";
import type { BrowserPage } from "./support/driver.ts";
import { firefox, startFirefox } from "./support/firefox.ts";

/** Firefox gives each installation a random address; the tests choose it. */
const address = "6f1b3c52-8f5e-4a53-9d39-0d9e6f3f0a11";
const settings = {
  "extensions.webextensions.uuids": JSON.stringify({ "extension@bauta.email": address }),
  "network.dns.localDomains": "shop.example,www.shop.example",
};

/** Waits until the body of a function returns a text that is not empty. */
const textOf = async (page: BrowserPage, body: string): Promise<string> => {
  for (;;) {
    const text = await page.run(`await new Promise((painted) => requestAnimationFrame(painted)); ${body}`);
    if (typeof text === "string" && text !== "") return text;
  }
};

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
    await driver.installExtension(await unpackExtension(folder, "firefox"));
  });
  after(async () => {
    await driver?.stop();
    if (folder !== "") await rm(folder, { recursive: true, force: true });
  });

  const fill = async (page: BrowserPage, url: string): Promise<string> => {
    await page.open(url);
    const { right, middle } = (await page.run(
      `const { right, top, height } = document.getElementById("mail").getBoundingClientRect();
       return { right, middle: top + height / 2 };`,
    )) as Box;
    await click(page, right - 100, middle);
    await textOf(page, 'return document.querySelector("div[popover]")?.localName ?? ""');
    for (;;) {
      await click(page, right - 18, middle);
      const value = await page.run('return document.getElementById("mail").value');
      if (value !== "") return String(value);
    }
  };

  it("fills in a new mask, finds it at the second visit, and shows it in its popup", async () => {
    const token = await createBrowserToken(server, "firefox@example.org");
    const page = await driver?.newPage();
    if (page === undefined) throw new Error("there is no page");
    await page.open(`moz-extension://${address}/options.html`);
    expect(await textOf(page, 'return document.querySelector("h1")?.textContent ?? ""')).to.equal(
      "Connection and sites",
    );
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
    const mask = await fill(page, sites.at("shop.example", "/plain"));
    expect(mask).to.match(/@masks\.localhost$/);
    expect(await page.run("return document.title")).to.equal(mask);
    expect(await fill(page, sites.at("www.shop.example", "/strict"))).to.equal(mask);
    await page.open(`moz-extension://${address}/popup.html`);
    expect(
      await textOf(page, 'return document.querySelector("[data-copy]")?.getAttribute("aria-label") ?? ""'),
    ).to.equal(`Copy ${mask}`);
  });
});
