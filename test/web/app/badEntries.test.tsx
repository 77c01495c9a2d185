import "../../support/dom.ts";
import "../../../web/features/notifications/NotificationPanel.tsx";
import { screen, within } from "@testing-library/react";
import { expect } from "chai";
import { createFigures } from "../../fakes/productInsights.ts";
import { createNotification } from "../../fakes/productNotifications.ts";
import { createMask } from "../../fakes/productServer.ts";
import { useDom } from "../../support/jsdom.ts";
import { beginning, closePages, type OpenPage, openMasks } from "../support/openPage.tsx";
import { openTab } from "../support/openTab.ts";

const reports = ({ reporter }: OpenPage): readonly string[] =>
  reporter.reports.map(({ error }) => String(error));

describe("An invalid entry in a response", () => {
  useDom();
  afterEach(closePages);

  it("leaves the other masks visible, is reported to Sentry, and is mentioned to the user", async () => {
    const page = await openMasks({
      before: ({ server }) =>
        server.on("GET", "/masks", {
          json: { masks: [createMask("a"), { id: "b", maskEmail: 7 }, createMask("c")] },
        }),
    });
    expect(screen.getAllByRole("listitem").length).to.be.at.least(2);
    screen.getByText("1 mask could not be shown.");
    expect(reports(page)).to.deep.equal(["Error: GET /masks has entries that cannot be read"]);
  });

  it("leaves the other notifications and the page visible, such as one of the year 31,690,708", async () => {
    const page = await openMasks({
      before: ({ server }) =>
        server.on("GET", "/notifications", {
          json: {
            notifications: [
              createNotification(2, { timestamp: 1e18 }),
              createNotification(1, { message: "A new sign-in" }),
            ],
            unread: 1,
          },
        }),
    });
    await page.user.click(screen.getByRole("button", { name: beginning("Notifications") }));
    const panel = within(await screen.findByRole("dialog", { name: "Notifications" }));
    await panel.findByText("A new sign-in");
    panel.getByText("1 notification could not be shown.");
    expect(reports(page)[0]).to.equal("Error: GET /notifications has entries that cannot be read");
  });

  it("leaves the other figures of the insights visible", async () => {
    await openTab("Insights", {
      before: ({ server }) =>
        server.on("GET", "/ai/insights", {
          json: { ...createFigures(), byDay: [{ day: "2026-11-20", received: "many" }] },
        }),
    });
    await screen.findByText("1 figure could not be shown.");
    expect(screen.getAllByText("1,234")).not.to.have.length(0);
  });

  for (const tab of ["Masks", "Rules"] as const)
    it(`is not called a list without masks when no mask of it can be shown, in ${tab}`, async () => {
      await openTab(tab, {
        before: ({ server }) =>
          server.on("GET", "/masks", { json: { masks: [{ id: "a", maskEmail: 7 }, { id: "b" }] } }),
      });
      await screen.findByText("2 masks could not be shown.");
      expect(screen.queryByText("You don't have any email masks yet.")).to.equal(null);
    });

  it("is not called a mask without rules when no rule of it can be shown", async () => {
    await openTab("Rules", { masks: [createMask("a", { settings: { rules: [{ id: "odd" }] } })] });
    await screen.findByText("1 rule could not be shown.");
    expect(screen.queryByText("No rules for this mask yet.")).to.equal(null);
  });

  it("leaves the other rules of a mask visible", async () => {
    const rule = {
      id: "r",
      name: "Block shops",
      type: "content_filter",
      conditions: [{ field: "subject", operator: "contains", value: "sale" }],
      actions: [{ type: "block", params: {} }],
    };
    const page = await openTab("Rules", {
      masks: [createMask("a", { settings: { rules: [rule, { id: "odd" }] } })],
    });
    await screen.findByText("Block shops");
    screen.getByText("1 rule could not be shown.");
    expect(reports(page)).to.include("Error: A mask has rules that cannot be read");
  });
});
