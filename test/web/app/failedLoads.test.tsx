import "../../support/dom.ts";
import { screen, within } from "@testing-library/react";
import { expect } from "chai";
import type { Answer } from "../../fakes/fakeHttp.ts";
import { createMask } from "../../fakes/productServer.ts";
import { useDom } from "../../support/jsdom.ts";
import { closePages, type OpenPage, openMasks } from "../support/openPage.tsx";
import { openSection } from "../support/openTab.ts";
import { tabLink } from "../support/tabLink.ts";

const noAnswer = "Connection issue. Please try again later.";
const tooMany = "Too many requests. Please try again in a moment.";
const broken = "Server error: The store is full. Our team has been notified.";

const failures: readonly (readonly [string, Answer, string])[] = [
  ["gets no answer", "unreachable", noAnswer],
  ["is one of too many", { status: 429, json: {} }, tooMany],
  ["breaks the server", { status: 500, json: { message: "The store is full." } }, broken],
];

type Open = (page: OpenPage) => Promise<unknown>;
const tab =
  (name: string): Open =>
  ({ user }) =>
    user.click(tabLink(name));
const section =
  (name: string): Open =>
  (page) =>
    openSection(page, name);

/** What is opened, by which call it is loaded, and what it says when no answer comes. */
const screens: readonly (readonly [string, Open, string])[] = [
  ["Insights", tab("Insights"), "/ai/insights"],
  ["Rules for all masks", tab("Rules"), "/rules"],
  ["Addresses", section("Mail"), "/destinations"],
  ["AI content access", section("Privacy"), "/ai/content-access"],
  ["Domains", section("Domains"), "/domains"],
  ["Webhooks", section("Programs"), "/account/webhooks"],
  ["Devices with notifications", section("Notifications"), "/account/push"],
];

describe("A screen whose load fails when it is opened", () => {
  useDom();
  afterEach(closePages);

  for (const [name, open, path] of screens)
    for (const [what, answer, reason] of failures)
      it(`says why in one toast, where the load ${what}: ${name} (RQ7, RQ8, RQ10)`, async () => {
        const page = await openMasks({ masks: [createMask("m1")] });
        page.server.on("GET", path, answer);
        await open(page);
        await page.act(() => {});
        const shown = page.app.toasts.list$.value.map(({ text, count }) => [text, count]);
        expect(shown).to.deep.equal([[reason, 1]]);
      });

  it("keeps both sentences of insights without an answer, what failed and why (IN6)", async () => {
    const page = await openMasks();
    page.server.on("GET", "/ai/insights", "unreachable");
    await page.user.click(tabLink("Insights"));
    await page.advance(10_000);
    const alert = within(screen.getByRole("alert"));
    alert.getByText("Failed to load insights data");
    alert.getByText(noAnswer);
  });

  it("says nothing more when insights that refresh themselves fail (IN6)", async () => {
    const page = await openMasks();
    await page.user.click(tabLink("Insights"));
    await page.act(() => {});
    page.server.on("GET", "/ai/insights", { status: 500 });
    await page.advance(600_000);
    expect(page.server.requestsTo("GET /ai/insights").length).to.be.greaterThan(1);
    expect(page.app.toasts.list$.value).to.deep.equal([]);
  });
});
