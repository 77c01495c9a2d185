import "../../support/dom.ts";
import { expect } from "chai";
import { makeMask, makeUser } from "../../fakes/productServer.ts";
import { useDom } from "../../support/jsdom.ts";
import { beginning, closePages } from "../support/openPage.tsx";
import { openTab } from "../support/openTab.ts";

describe("The account tab", () => {
  useDom();
  afterEach(closePages);

  it("shows the plan, what is used of it and who it is (AC1, AC3)", async () => {
    const { panel, page, user } = await openTab("Account", {
      user: makeUser("ada@example.org", { subscription: { tier: "pro_premium", status: "active" } }),
      masks: [makeMask("a"), makeMask("b", { active: false })],
    });
    panel.getByText("Pro Premium");
    expect(panel.getByRole("meter", { name: "Masks" }).getAttribute("aria-valuetext")).to.equal(
      "2 masks, no limit",
    );
    expect(panel.getByRole("meter", { name: "Emails this month" }).getAttribute("aria-valuetext")).to.equal(
      "0 of 5,000 e-mails",
    );
    panel.getByText("ada@example.org");
    panel.getByText("January 5, 2026");
    await user.click(panel.getByRole("button", { name: beginning("Log Out") }));
    expect(page.path$.value).to.equal("/login");
  });

  it("says what is not available, and why it could not be read", async () => {
    const { panel, server, press } = await openTab("Account", {
      before: (fakes) => fakes.server.on("GET", "/account", { status: 400 }),
    });
    panel.getByText("Failed to get account data");
    expect(panel.getAllByText("Not available")).to.have.length(2);
    server.on("GET", "/account", { json: makeUser("ada@example.org") });
    await press("Try Again");
    panel.getByText("ada@example.org");
    panel.getByText("This server does not say how much of the plan is used.");
  });
});
