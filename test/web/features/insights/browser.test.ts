import { expect } from "chai";
import type { Page } from "playwright-core";
import { createFigures, createSuggestion } from "../../../fakes/productInsights.ts";
import { createMask } from "../../../fakes/productServer.ts";
import { expectAccessible } from "../../../support/accessible.ts";
import { fourScreens } from "../../../support/screens.ts";
import { tabLink } from "../../../support/tabLink.ts";
import type {} from "../../app/pageOnFakes.tsx";
import { type ChromiumPage, useChromiumPages } from "../../support/chromiumPage.ts";
import { servePageOnFakes } from "../../support/servePage.ts";

const figures = createFigures();
const masks = [
  createMask("a", { description: "The corner shop with a rather long name that has to break somewhere" }),
  createMask("b"),
];
const suggestions = [
  createSuggestion("two-factor", {
    title: "Sign-in rests on your mailbox alone",
    description: "With a second factor, whoever can read your mail still cannot sign in as you.",
    type: "security",
    action: "setUpTwoFactor",
    actionText: "Set up 2FA",
  }),
  createSuggestion("split:a", { title: "5 domains write to “Mask a”", maskName: "news.example" }),
];

describe("Insights in a real browser", () => {
  const openPage = useChromiumPages(servePageOnFakes);
  let page: Page;
  let complaints: ChromiumPage["complaints"];

  const open = async (): Promise<void> => {
    ({ page, complaints } = await openPage(1280));
    await page.getByRole("heading", { name: "Your Email Masks" }).waitFor();
    await page.evaluate(
      ({ figures, masks, suggestions }) => {
        const { product, app } = window.hands;
        product.setMasks(masks);
        product.setTier("pro");
        product.insights.setFigures(figures);
        product.insights.suggest(...suggestions);
        product.insights.setAccess({ contentAccessEnabled: true, contentAccessAcknowledged: true });
        return Promise.all([app.masks.refresh()(), app.account.refresh()()]);
      },
      { figures, masks, suggestions },
    );
  };
  const go = async (tab: string): Promise<void> => {
    await tabLink(page, tab).click();
    await page.getByRole("main", { name: tab }).getByRole("heading").nth(2).waitFor();
  };
  const panels = [
    "Suggestions",
    "This Month and in All",
    "Mail by Day",
    "Mask Comparison",
    "Rule Effectiveness",
    "Email Categorization",
    "Security Insights",
    "Who Writes to You",
    "Tag Analytics",
    "Action Analytics",
  ];

  it("pass axe in every panel, as charts and as tables, on a wide and a narrow screen in both themes", async () => {
    await open();
    const look = (where: string): Promise<void> => expectAccessible(page, where, fourScreens);
    await go("Insights");
    for (const name of panels) await page.getByRole("region", { name, exact: true }).waitFor();
    await look("insights");
    const ways = page.getByRole("button", { name: /^Show as table/ });
    for (let left = await ways.count(); left > 0; left -= 1) await ways.first().click();
    await look("insights as tables");
    await go("Settings");
    await page.getByRole("switch", { name: "Categorization" }).waitFor();
    await look("settings");
    expect(complaints).to.deep.equal([]);
  });

  it("show each chart's table by keyboard, and draw every part of a chart inside it", async () => {
    await open();
    await go("Insights");
    const way = page.getByRole("button", { name: "Show as table: Mail by mask" });
    await way.focus();
    await page.keyboard.press("Enter");
    await page.getByRole("table", { name: "Mail by mask" }).getByRole("cell", { name: "1,200" }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("img", { name: /^Mask a: Forwarded 1,000/ }).waitFor();
    const outside = await page.evaluate(() =>
      [...window.document.querySelectorAll("svg[role=img]")].flatMap((chart) => {
        const frame = chart.getBoundingClientRect();
        return [...chart.querySelectorAll("path, rect:not(:has(title))")]
          .map((part) => part.getBoundingClientRect())
          .filter((part) => part.left < frame.left - 1 || part.right > frame.right + 1)
          .map(() => chart.getAttribute("aria-label"));
      }),
    );
    expect(outside).to.deep.equal([]);
  });
});
