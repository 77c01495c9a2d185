import { expect } from "chai";
import type { Page } from "playwright-core";
import { useProduct } from "./support/product.ts";
import { createMask, untilKept } from "./support/visitor.ts";

const leftEdge = (page: Page, selector: string): Promise<number> =>
  page
    .locator(selector)
    .first()
    .evaluate((element) => element.getBoundingClientRect().left);

/** Returns the top and height of each heading, field and card of the list, by its text. */
const placesOf = (page: Page): Promise<readonly (readonly [string, number, number])[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll("main :is(h1, h2, input, li, dl)")].map((element) => {
      const { top, height } = element.getBoundingClientRect();
      return [element.localName, Math.round(top), Math.round(height)] as const;
    }),
  );

const isLoaded = (page: Page): Promise<boolean> =>
  page.evaluate(async () => {
    await document.fonts.ready;
    return [...document.fonts].some(
      ({ family, status }) => /^"?Inter"?$/.test(family) && status === "loaded",
    );
  });

describe("the look of the page, in a real browser", () => {
  const { visitAs } = useProduct();

  it("has header and content in one column at every width", async () => {
    const { page } = await visitAs("column@example.org");
    await page.getByRole("heading", { level: 1 }).waitFor();
    for (const [width, expected] of [
      [768, 24],
      [1280, 128],
      [1600, 288],
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      expect(await leftEdge(page, "main h1"), `the content at ${width} px`).to.equal(expected);
      expect(await leftEdge(page, "header svg"), `the logo at ${width} px`).to.equal(expected);
    }
  });

  it("brings its typeface along, keeps it for a year, and has it without a network", async () => {
    const { page, context, complaints } = await visitAs("typeface@example.org");
    const preloaded = await page.locator("link[rel=preload][as=font]").getAttribute("href");
    const answer = await page.request.get(new URL(preloaded ?? "", page.url()).href);
    expect(answer.headers()).to.include({
      "content-type": "font/woff2",
      "cache-control": "public, max-age=31536000, immutable",
    });
    expect((await answer.body()).length).to.be.at.most(45_000);
    expect(await isLoaded(page)).to.equal(true);
    await untilKept(page);
    await context.setOffline(true);
    await page.reload();
    await page.getByRole("heading", { level: 1 }).waitFor();
    expect(await isLoaded(page), "offline").to.equal(true);
    expect(complaints.filter((text) => !text.includes("ERR_INTERNET_DISCONNECTED"))).to.deep.equal([]);
  });

  it("moves nothing when the typeface comes", async () => {
    const { page } = await visitAs("still@example.org", { width: 1280, theme: "light", keepsNothing: true });
    await createMask(page, "Corner Shop");
    expect(await isLoaded(page)).to.equal(true);
    await page.reload();
    await page.getByText("No mail yet").waitFor();
    await isLoaded(page);
    const withTypeface = await placesOf(page);
    await page.route("**/*.woff2", (route) => route.abort());
    await page.reload();
    await page.getByText("No mail yet").waitFor();
    expect(await isLoaded(page)).to.equal(false);
    expect(await placesOf(page)).to.deep.equal(withTypeface);
  });
});
