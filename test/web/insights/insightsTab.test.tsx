import "../../support/dom.ts";
import { expect } from "chai";
import { makeMask } from "../../fakes/productServer.ts";
import { useDom } from "../../support/jsdom.ts";
import { closePages } from "../support/openPage.tsx";
import { openTab } from "../support/openTab.ts";

describe("The insights tab", () => {
  useDom();
  afterEach(closePages);

  it("adds up what the cards show", async () => {
    const counted = (id: string, totalReceived: number, totalForwarded: number, spamBlocked: number) =>
      makeMask(id, {
        active: id !== "b",
        statistics: { totalReceived, totalForwarded, spamBlocked, totalSent: 0 },
      });
    const { panel } = await openTab("Insights", {
      masks: [counted("a", 1_200, 1_000, 200), counted("b", 34, 30, 4)],
    });
    const figure = (label: string) => panel.getByText(label).nextElementSibling?.textContent;
    expect(figure("Total received")).to.equal("1,234");
    expect(figure("Forwarded")).to.equal("1,030");
    expect(figure("Blocked")).to.equal("204");
    expect(figure("Active masks")).to.equal("1");
  });

  it("shows no figure while none is known", async () => {
    const { panel } = await openTab("Insights", {
      before: ({ server }) => server.on("GET", "/masks", "silent"),
    });
    expect(panel.getByText("Total received").nextElementSibling?.textContent).to.equal("");
  });
});
