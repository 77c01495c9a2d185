import { expect } from "chai";
import type { Page } from "playwright-core";
import { createMask } from "../../../../fakes/productServer.ts";
import type {} from "../../../app/pageOnFakes.tsx";
import { useChromiumPages } from "../../../support/chromiumPage.ts";
import { servePageOnFakes } from "../../../support/servePage.ts";

/** Cards with all that a card can show, at its greatest length. */
const masks = Array.from({ length: 40 }, (_, at) =>
  createMask(`mask${at}`, {
    description:
      at % 2 === 0 ? `Shop ${at}` : `The shop with the number ${at} and a name that no line has room for`,
    maskEmail: `quiet-harbour-of-the-number-${at}@masks.example.org`,
    created: new Date(Date.UTC(2026, 9, 30) - at * 60_000).toISOString(),
    labels: at % 3 === 0 ? [] : ["shops", "a label of some length", "work"],
    destinations: ["ada@example.org", "second@example.org"],
    active: at % 4 !== 0,
    statistics: {
      totalReceived: 99_999,
      totalForwarded: 99_998,
      spamBlocked: 99_997,
      totalSent: 99_996,
      lastUsed: new Date(Date.UTC(2026, 9, 30)).toISOString(),
    },
    ...(at === 2 && { note: "Customer number 4711, and whatever else is known of this shop. ".repeat(4) }),
  }),
);

interface Box {
  readonly top: number;
  readonly bottom: number;
}

const boxesOf = (page: Page, selector: string): Promise<readonly Box[]> =>
  page.locator(selector).evaluateAll((elements) =>
    elements.map((element) => {
      const { top, bottom } = element.getBoundingClientRect();
      return { top, bottom };
    }),
  );

describe("The cards of 40 masks, in a real browser", () => {
  const openPage = useChromiumPages(servePageOnFakes);

  const open = async (width: number, height: number): Promise<Page> => {
    const { page } = await openPage(width);
    await page.setViewportSize({ width, height });
    await page.getByRole("heading", { name: "Your Email Masks" }).waitFor();
    await page.evaluate((list) => {
      const { product, app } = window.hands;
      product.setMasks(list);
      return app.masks.refresh()();
    }, masks);
    await page.getByRole("listitem", { name: "Shop 2" }).waitFor();
    return page;
  };

  for (const [width, height, most, seen] of [
    [1280, 800, 92, 5],
    [360, 740, 132, 3],
  ] as const)
    it(`are at most ${most} px high, and ${seen} of them are seen at ${width} × ${height}`, async () => {
      const page = await open(width, height);
      const cards = await boxesOf(page, "main ul[aria-label='Email masks'] > li");
      expect(cards).to.have.length(5);
      for (const { top, bottom } of cards) expect(bottom - top).to.be.at.most(most);
      const [bar] = await boxesOf(page, "nav[aria-label=Main]");
      const end = width < 768 ? (bar?.top ?? 0) : height;
      expect(cards.filter(({ bottom }) => bottom <= end).length).to.be.at.least(seen);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).to.equal(width);
    });

  it("stand above their pager on a laptop's first screen", async () => {
    const page = await open(1280, 800);
    const [pager] = await boxesOf(page, "nav[aria-label='Pages of masks']");
    expect(pager?.bottom).to.be.at.most(800);
  });

  it("have their texts on one line, of which nothing is cut that has room", async () => {
    const page = await open(1280, 800);
    const card = page.getByRole("listitem", { name: "Shop 2" });
    const cut = await card
      .locator("h2 a, [data-copy] span, dl > div")
      .evaluateAll((parts) => parts.filter((part) => part.scrollWidth > part.clientWidth + 1).length);
    expect(cut).to.equal(0);
  });

  it("say when mail came last, also of a mask with several destinations", async () => {
    const page = await open(1280, 800);
    const facts = page.getByRole("listitem", { name: "The shop with the number 3 " }).locator("p").first();
    const [seen, last] = await Promise.all(
      [facts, facts.getByText(/^Last email/)].map((part) => part.boundingBox()),
    );
    expect(last?.y).to.equal(seen?.y);
    await facts.getByText("and 1 more").waitFor();
  });

  it("have a menu that is seen as a whole, wherever on the screen they stand", async () => {
    const page = await open(1280, 800);
    for (const menu of await page.getByRole("button", { name: /^Options for/ }).all()) {
      await menu.click();
      await page.getByRole("menuitem", { name: "Delete mask" }).waitFor();
      const items = await boxesOf(page, "[role=menuitem]");
      expect(items).to.have.length(12);
      const [list] = await boxesOf(page, ":has(> [role=menu])");
      for (const { top, bottom } of items) {
        expect(top).to.be.at.least(Math.max(0, list?.top ?? 0));
        expect(bottom).to.be.at.most(Math.min(800, list?.bottom ?? 0));
      }
      await page.keyboard.press("Escape");
      await page.getByRole("menu").waitFor({ state: "detached" });
    }
  });
});
