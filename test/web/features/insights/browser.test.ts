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
    title: "Your mailbox alone protects your account",
    description:
      "With two-factor authentication, somebody who can read your mail still cannot log in as you.",
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
    "This month and in total",
    "Mail by day",
    "Mask Comparison",
    "Rule Effectiveness",
    "Email Categorization",
    "Security Insights",
    "Who writes to you",
    "Tag Analytics",
    "Action Analytics",
  ];

  it("pass axe in every panel, as charts and as tables, on a wide and a narrow screen in both themes", async () => {
    await open();
    const look = (where: string): Promise<void> => expectAccessible(page, where, fourScreens);
    await go("Insights");
    for (const name of panels) await page.getByRole("region", { name, exact: true }).waitFor();
    await look("insights");
    for (const [width, most] of [
      [768, 2_300],
      [1280, 2_000],
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      const height = await page.evaluate(() => document.documentElement.scrollHeight);
      expect(height, `at ${width} px`).to.be.at.most(most);
    }
    for (const part of await page.locator("details > summary").all()) await part.click();
    const ways = page.getByRole("button", { name: /^Show as table/ });
    for (let left = await ways.count(); left > 0; left -= 1) await ways.first().click();
    await look("insights as tables");
    await tabLink(page, "Settings").click();
    await page.getByRole("link", { name: "Privacy" }).click();
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
      [...window.document.querySelectorAll("figure [role=img]")].flatMap((chart) => {
        const frame = chart.getBoundingClientRect();
        return [...chart.querySelectorAll("path:not(defs *), span")]
          .map((part) => part.getBoundingClientRect())
          .filter((part) => part.left < frame.left - 1 || part.right > frame.right + 1)
          .map(() => chart.getAttribute("aria-label"));
      }),
    );
    expect(outside).to.deep.equal([]);
  });

  it("tell the figures of each day by the arrow keys and by the pointer", async () => {
    await open();
    await go("Insights");
    const days = page.getByRole("slider", { name: "Mail of the last 30 days, day by day" });
    await days.focus();
    await page.keyboard.press("End");
    const text = (): Promise<string | null> => days.getAttribute("aria-valuetext");
    expect(await text()).to.equal("Friday, November 20: Forwarded 6, Blocked 2, Other 0");
    await page.keyboard.press("ArrowLeft");
    expect(await text()).to.equal("Thursday, November 19: Forwarded 7, Blocked 2, Other 0");
    await page.getByText("Thursday, November 19", { exact: true }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByText("Thursday, November 19", { exact: true }).waitFor({ state: "detached" });
    const box = await days.boundingBox();
    if (box === null) throw new Error("The chart is not shown");
    await page.mouse.move(box.x + 1, box.y + box.height / 2);
    await page.getByText("Thursday, October 22", { exact: true }).waitFor();
  });

  it("are drawn for every day of the time shown, though mail came on one", async () => {
    await open();
    await page.evaluate(
      (one) => window.hands.product.insights.setFigures(one),
      createFigures({
        since: "2026-11-20T08:00:00.000Z",
        byDay: [{ day: "2026-11-20", received: 3, forwarded: 2, blocked: 1 }],
      }),
    );
    await go("Insights");
    const columns = page.getByRole("img", {
      name: "Mail of the last 30 days: Forwarded 2, Blocked 1, Other 0",
    });
    expect(await columns.locator(":scope > *").count()).to.equal(30);
    await page.getByRole("radio", { name: "7 days" }).click();
    const week = page.getByRole("img", { name: "Mail of the last 7 days: Forwarded 2, Blocked 1, Other 0" });
    expect(await week.locator(":scope > *").count()).to.equal(7);
  });

  it("are saved as pictures and tables", async () => {
    await open();
    await go("Insights");
    const save = async (item: string): Promise<{ readonly name: string; readonly content: Buffer }> => {
      await page.getByRole("button", { name: "Save or copy: Mail by mask" }).click();
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("menuitem", { name: item }).click(),
      ]);
      const chunks: Buffer[] = [];
      for await (const chunk of await download.createReadStream()) chunks.push(Buffer.from(chunk));
      return { name: download.suggestedFilename(), content: Buffer.concat(chunks) };
    };
    const svg = await save("Save as SVG");
    expect(svg.name).to.equal("mail-by-mask.svg");
    for (const part of ["<title>Mail by mask</title>", ">Forwarded<", ">Mask a<", 'fill="url(#hatched)"'])
      expect(svg.content.toString()).to.include(part);
    const png = await save("Save as PNG");
    expect(png.content.subarray(1, 4).toString()).to.equal("PNG");
    expect(png.content.readUInt32BE(16), "pixels from side to side").to.equal(1_440);
    const csv = await save("Download CSV");
    expect(csv.content.toString().split("\r\n").slice(0, 2)).to.deep.equal([
      "Mask,Forwarded,Blocked,Other,In all",
      "Mask a,1000,200,0,1200",
    ]);
    expect(complaints).to.deep.equal([]);
  });
});
