import { expect } from "chai";
import type { Page } from "playwright-core";
import { expectAccessible } from "../support/accessible.ts";
import { connectByHand, useExtension } from "./support/extension.ts";
import { useSites } from "./support/forms.ts";
import { useServer } from "./support/product.ts";
import { createAccount, loadAt } from "./support/visitor.ts";

describe("The extension, in a real browser", () => {
  const server = useServer();
  const browser = useExtension();
  const sites = useSites();

  /** Opens the app in the browser of the extension, with the session of a new account. */
  const visit = async (email: string): Promise<Page> => {
    const kept = await createAccount(server, email);
    const page = await browser.context.newPage();
    await browser.context.addCookies(kept.cookies);
    await page.goto(server.url);
    await page.evaluate((items) => {
      for (const { name, value } of items) localStorage.setItem(name, value);
    }, kept.origins[0]?.localStorage ?? []);
    await loadAt(page, `${server.url}/#settings/programs`);
    return page;
  };

  it("is connected from the settings, makes and switches masks in its popup, and is disconnected", async () => {
    const app = await visit("popup@example.org");
    const asking = await browser.openPopup(app);
    await expectAccessible(asking, "the popup without a connection");
    await asking.getByRole("button", { name: /^Connect to 127\.0\.0\.1/ }).press("Enter");
    await asking.getByText(/^Is 127\.0\.0\.1 your Bauta server/).waitFor();
    await expectAccessible(asking, "the question for the server");
    await asking.getByRole("button", { name: "127.0.0.1 is my server" }).press("Enter");
    await asking.getByText(/^Now press “Connect this browser”/).waitFor();

    await app.bringToFront();
    await app.getByRole("button", { name: "Connect this browser" }).press("Enter");
    const dialog = app.getByRole("dialog", { name: "Connect this browser" });
    await dialog.getByText("See codes").first().waitFor();
    await expectAccessible(app, "the connection of a browser");
    await dialog.getByRole("button", { name: /^Connect/ }).press("Enter");
    await dialog.getByText(/^This browser is connected/).waitFor();
    await dialog
      .getByRole("button", { name: /^Close/ })
      .last()
      .press("Enter");
    await app
      .getByRole("list", { name: "API tokens" })
      .getByText(/^Chrome on /)
      .waitFor();
    await asking.getByRole("heading", { name: "127.0.0.1" }).waitFor();
    await asking.close();

    const shop = await browser.context.newPage();
    await shop.goto(sites.at("www.shop.example", "/plain"));
    const popup = await browser.openPopup(shop);
    await popup.getByText("No mask for this site yet.").waitFor();
    await popup.keyboard.press("Enter");
    const ofSite = popup.getByRole("list", { name: "Masks for www.shop.example" });
    await ofSite.getByRole("listitem").waitFor();
    await expectAccessible(popup, "the popup with a mask");
    const toggle = ofSite.getByRole("switch", { name: "www.shop.example is on" });
    await toggle.press("Space");
    await popup.getByRole("button", { name: "Undo" }).waitFor();
    expect(await toggle.isChecked()).to.equal(false);
    await popup.getByRole("button", { name: "Undo" }).press("Enter");
    await ofSite.getByRole("switch", { name: "www.shop.example is on", checked: true }).waitFor();
    await popup.emulateMedia({ colorScheme: "dark" });
    await expectAccessible(popup, "the popup in the dark");
    await popup.close();

    const options = await browser.openPage("options.html");
    await expectAccessible(options, "the options");
    await options.getByRole("button", { name: "Disconnect" }).press("Enter");
    await options.getByLabel("Server address").waitFor();
    await expectAccessible(options, "the options without a connection");
    const left = await browser.background.evaluate(() => {
      const { chrome } = globalThis as unknown as {
        readonly chrome: { readonly storage: { readonly local: { get: (keys: null) => Promise<object> } } };
      };
      return chrome.storage.local.get(null);
    });
    expect(Object.keys(left)).to.deep.equal([]);
    for (const page of [app, shop, options]) await page.close();
  });
});

describe("The extension as it is installed, in a real browser", () => {
  const server = useServer();
  const browser = useExtension("none");
  const sites = useSites();

  it("works without access to any site, and stands in no field", async () => {
    await connectByHand(browser, server, "installed@example.org");
    const shop = await browser.context.newPage();
    await shop.goto(sites.at("shop.example", "/plain"));
    await shop.locator("#mail").click();
    const popup = await browser.openPopup(shop);
    await popup.getByText("No mask for this site yet.").waitFor();
    await popup.keyboard.press("Enter");
    await popup.getByRole("list", { name: "Masks for shop.example" }).getByRole("listitem").waitFor();
    await popup.getByRole("button", { name: "Show the button in fields of this site" }).waitFor();
    await shop.bringToFront();
    await shop.locator("#mail").press("Shift");
    expect(await shop.locator("div[popover]").count()).to.equal(0);
    for (const page of [shop, popup]) await page.close();
  });
});
