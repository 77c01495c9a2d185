import { expect } from "chai";
import { useBrowser } from "../support/browser.ts";
import { useServer } from "./support/product.ts";
import { visit } from "./support/visitor.ts";

describe("The first visit on a slow line", () => {
  const server = useServer();
  const browser = useBrowser();

  it("shows the logo until the script is there, and then the page in its place", async () => {
    const { page, complaints, leave } = await visit(browser(), server, {
      theme: "light",
      width: 360,
      keepsNothing: true,
    });
    const held = Promise.withResolvers<void>();
    await page.route("**/assets/*.js", async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.goto(server.url, { waitUntil: "commit" });
    const logo = page.locator(".start-mark svg");
    await logo.waitFor();
    // The browser paints nothing before the stylesheet, but measures the logo at its size without one.
    await page.waitForFunction(() => document.styleSheets.length > 0);
    const { x, width } = (await logo.boundingBox()) ?? { x: 0, width: 0 };
    expect({ middle: x + width / 2, width }).to.deep.equal({ middle: 180, width: 48 });

    held.resolve();
    await page.getByRole("heading", { name: "Sign in to Bauta" }).waitFor();
    expect(await logo.isVisible()).to.equal(false);
    expect(complaints).to.deep.equal([]);
    await page.unrouteAll({ behavior: "wait" });
    await leave();
  });
});
