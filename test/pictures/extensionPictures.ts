import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import {
  connectByHand,
  type ExtensionBrowser,
  startExtension,
  wholeChromiumPath,
} from "../e2e/support/extension.ts";
import { startServer } from "../e2e/support/server.ts";
import { untilStill } from "./openView.ts";

const root = join(import.meta.dirname, "../..");

/** The pictures of the extension in the guide. */
export const extensionPictureFiles = ["extension-field.png", "extension-popup.png"] as const;

/** The size that stores ask for, at two pixels a point. */
const storeSize = { width: 640, height: 400 };

const shop = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Corner shop</title>
<style>
  body { margin: 0; font: 16px/1.5 Georgia, serif; background: #f3efe6; color: #2b2118 }
  main { max-width: 420px; margin: 48px auto; padding: 28px; background: #fff; border-radius: 12px }
  h1 { margin: 0 0 8px; font-size: 26px }
  label { display: block; margin-top: 16px }
  input { display: block; box-sizing: border-box; width: 100%; height: 44px; padding: 0 12px; font: inherit;
    border: 1px solid #b9ab97; border-radius: 8px }
</style>
<main><h1>Corner shop</h1>Ten percent off your first order.
<form><label>Email <input id="mail" type="email" name="email"></label></form></main></html>`;

const fillField = async (page: Page): Promise<void> => {
  const field = page.locator("#mail");
  await field.click();
  await page.locator("div[popover]").waitFor({ state: "attached" });
  const box = await field.boundingBox();
  while (box !== null && (await field.inputValue()) === "") {
    await page.mouse.click(box.x + box.width - 18, box.y + box.height / 2);
    await page.evaluate(() => new Promise((painted) => requestAnimationFrame(painted)));
  }
};

const take = async (page: Page, ...files: readonly (readonly string[])[]): Promise<void> => {
  await untilStill(page);
  for (const file of files) {
    await page.screenshot({ path: join(root, ...file), caret: "hide" });
    console.log(file.join("/"));
  }
};

const takeAll = async (browser: ExtensionBrowser, address: string): Promise<void> => {
  const page = await browser.context.newPage();
  await page.setViewportSize(storeSize);
  await page.goto(address);
  await fillField(page);
  await take(page, ["docs/images", extensionPictureFiles[0]], ["extension/store", "field.png"]);
  const popup = await browser.openPopup(page);
  await popup.setViewportSize({ width: 400, height: 400 });
  await popup.getByRole("list").first().waitFor();
  await take(popup, ["docs/images", extensionPictureFiles[1]]);
  await popup.setViewportSize(storeSize);
  await take(popup, ["extension/store", "popup.png"]);
  const options = await browser.openPage("options.html");
  await options.setViewportSize(storeSize);
  await take(options, ["extension/store", "options.png"]);
};

/** Takes the pictures of the extension, for the guide and for the stores. */
export const takeExtensionPictures = async (): Promise<void> => {
  const executablePath = wholeChromiumPath();
  if (executablePath === undefined) throw new Error("the pictures of the extension need a whole Chromium");
  const folder = await mkdtemp(join(tmpdir(), "bauta-pictures-"));
  const server = await startServer();
  const site = createServer((_request, response) =>
    response.setHeader("content-type", "text/html; charset=utf-8").end(shop),
  );
  await new Promise<void>((listening) => site.listen(0, "127.0.0.1", listening));
  const browser = await startExtension(folder, executablePath, { scale: 2 });
  try {
    await connectByHand(browser, server, "ada@example.org");
    await takeAll(browser, `http://corner-shop.example:${(site.address() as AddressInfo).port}/`);
  } finally {
    await browser.context.close();
    site.closeAllConnections();
    site.close();
    await server.stop();
    await server.removeData();
    await rm(folder, { recursive: true, force: true });
  }
};
