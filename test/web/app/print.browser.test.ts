import { expect } from "chai";
import type { Page } from "playwright-core";
import { createFigures } from "../../fakes/productInsights.ts";
import { createMask } from "../../fakes/productServer.ts";
import { useChromiumPages } from "../support/chromiumPage.ts";
import { servePageOnFakes } from "../support/servePage.ts";
import type {} from "./pageOnFakes.tsx";

const address = "a-very-long-address-of-a-mask-which-a-phone-would-shorten@masks.example.org";
const masks = [
  createMask("a", { description: "Shop", maskEmail: address }),
  createMask("b", { description: "News", active: false }),
];

/** The colors of the text. */
const inks = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const texts = [...window.document.querySelectorAll("h1, h2, h3, p, td, th")].filter(
      (one) => one.getClientRects().length > 0,
    );
    return [...new Set(texts.map((one) => getComputedStyle(one).color))];
  });

describe("On paper", () => {
  const openPage = useChromiumPages(servePageOnFakes);
  let page: Page;

  const open = async (width: number): Promise<void> => {
    ({ page } = await openPage(width, "dark"));
    await page.getByRole("heading", { name: "Your Email Masks" }).waitFor();
    await page.evaluate(
      ({ figures, masks }) => {
        const { product, app, server } = window.hands;
        product.setMasks(masks);
        product.insights.setFigures(figures);
        server.on("GET", "/log", {
          json: {
            settings: { keep: "address", days: 7, encrypted: false },
            mails: ["ann", "bob", "cas"].map((name) => ({
              id: name,
              at: "2026-11-20T08:00:00.000Z",
              direction: "received",
              maskId: "a",
              result: "delivered",
              detail: { from: `${name}@shop.example`, cause: "forwarded" },
              sealed: null,
              steps: [],
            })),
            more: false,
          },
        });
        app.toasts.show("info", "A message that passes");
        return app.masks.refresh()();
      },
      { figures: createFigures(), masks },
    );
    await page.getByText("A message that passes").waitFor();
  };
  const print = async (): Promise<void> => {
    await page.emulateMedia({ media: "print" });
    for (const gone of ["Insights", "Log out", "Skip to content", "A message that passes"])
      await page
        .getByText(gone, { exact: true })
        .locator("visible=true")
        .first()
        .waitFor({ state: "hidden" });
    expect(await page.getByRole("button", { name: /^(Show|Create|Refresh|Random|Save)/ }).count()).to.equal(
      0,
    );
    // Chromium computes the colors of the other medium with the next frame.
    await page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    );
    expect(await inks(page)).to.deep.equal(["rgb(0, 0, 0)"]);
    const pdf = await page.pdf({ format: "A4" });
    expect(pdf.subarray(0, 5).toString()).to.equal("%PDF-");
  };

  for (const width of [360, 1280])
    it(`masks have their addresses in full, and the position of their switch, from ${width} px`, async () => {
      await open(width);
      await print();
      const card = page.getByRole("listitem", { name: "Shop" });
      const position = await card
        .locator("label")
        .evaluate((label) => getComputedStyle(label, "::after").content);
      expect(position).to.equal('"On"');
      const text = card.locator("[data-copy] > :first-child");
      const shown = await text.evaluate(
        (one) =>
          (getComputedStyle(one, "::after").content === "none"
            ? one.textContent
            : one.getAttribute("title")) ?? "",
      );
      expect(shown).to.equal(address);
    });

  it("masks in rows are all there, although the page draws only those near the screen", async () => {
    await open(1280);
    await page.evaluate(
      (list) => {
        const { product, app, signedIn } = window.hands;
        product.setMasks(list);
        signedIn().masks.changeSettings({ layout: "rows" });
        return app.masks.refresh()();
      },
      Array.from({ length: 150 }, (_, n) => createMask(`m${n}`, { description: `Shop ${n}` })),
    );
    const rows = page.locator("tr[data-row]");
    await rows.first().waitFor();
    expect(await rows.count()).to.be.lessThan(150);
    await page.evaluate(() => {
      window.addEventListener("beforeprint", () => {
        window.document.title = String(window.document.querySelectorAll("tr[data-row]").length);
      });
    });
    await page.pdf({ format: "A4" });
    expect(await page.title()).to.equal("150");
  });

  it("the insights keep their charts, in the colors of paper", async () => {
    await open(1280);
    await page.getByRole("link", { name: "Insights" }).first().click();
    await page.getByRole("img", { name: /^Mail of the last 30 days/ }).waitFor();
    await print();
    const colors = await page
      .getByRole("img", { name: /^Mask a: Forwarded/ })
      .locator("span span")
      .evaluateAll((parts) => parts.map((part) => getComputedStyle(part).printColorAdjust));
    expect(colors).to.deep.equal(["exact", "exact"]);
  });

  it("the log is a list of its mails without a mark on each to press", async () => {
    await open(1280);
    await page.evaluate(() => {
      history.pushState(null, "", "#/log");
      window.dispatchEvent(new PopStateEvent("popstate"));
    });
    await page.getByText("bob@shop.example").waitFor();
    await print();
    await page.getByText("bob@shop.example").waitFor();
    expect(await page.locator("main li svg").locator("visible=true").count()).to.equal(0);
  });
});
