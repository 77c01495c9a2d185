import "../../../support/dom.ts";
import { screen, waitFor, within } from "@testing-library/react";
import { expect } from "chai";
import { emptyRuleDraft } from "../../../../core/rules/editing/ruleDraft.ts";
import { createMask, createUser } from "../../../fakes/productServer.ts";
import { useDom } from "../../../support/jsdom.ts";
import { beginning, closePages } from "../../support/openPage.tsx";
import { openTab } from "../../support/openTab.ts";
import { tabLink } from "../../support/tabLink.ts";

const of = (count: number) => Array.from({ length: count }, (_, i) => createMask(`m${i}`));
const plain = createUser("ada@example.org", { keyStatus: "not-configured" });

describe("The account tab", () => {
  useDom();
  afterEach(closePages);

  it("shows the plan, its usage and the user's identity (AC1, AC3)", async () => {
    const { panel, page, user } = await openTab("Account", {
      user: createUser("ada@example.org", { subscription: { tier: "pro_premium", status: "active" } }),
      masks: [createMask("a"), createMask("b", { active: false })],
    });
    panel.getByText("Pro Premium");
    expect(panel.getByRole("meter", { name: "Masks" }).getAttribute("aria-valuetext")).to.equal(
      "2 masks, no limit",
    );
    expect(panel.getByRole("meter", { name: "Emails this month" }).getAttribute("aria-valuetext")).to.equal(
      "0 of 5,000 emails",
    );
    expect(panel.queryByRole("meter", { name: "Replies today" }), "of a server that does not say").to.equal(
      null,
    );
    panel.getByText("50MB");
    panel.getByText("2 years");
    panel.getByText("ada@example.org");
    panel.getByText("January 5, 2026");
    await user.click(panel.getByRole("button", { name: beginning("Log Out") }));
    expect(page.path$.value).to.equal("/login");
  });

  for (const [tier, label] of [
    ["free", "Free"],
    ["basic", "Basic"],
    ["pro", "Pro"],
    ["pro_premium", "Pro Premium"],
    ["business", "Business"],
  ] as const)
    it(`calls the plan ${label} (AC1)`, async () => {
      const { panel } = await openTab("Account", {
        user: createUser("ada@example.org", { subscription: { tier, status: "active" } }),
      });
      within(panel.getByRole("region", { name: "Plan" })).getByText(label);
    });

  it("says Self-hosted where nothing is sold, with the most that the operator has set and no bars (D121)", async () => {
    const { panel } = await openTab("Account", {
      user: createUser("ada@example.org", { subscription: { tier: "pro", status: "active" } }),
      masks: of(3),
      settings: { configuration: { brand: "Bauta", maskDomain: "masks.example", defaultTier: "pro" } },
    });
    const usage = within(panel.getByRole("region", { name: "Usage" }));
    usage.getByText("Self-hosted");
    expect(usage.getByText("Masks").nextElementSibling?.textContent).to.equal("3 of 25");
    usage.getByText(/^Masks count whether they are switched on or off/);
    expect(usage.queryByRole("meter")).to.equal(null);
  });

  it("shows what is not available, and why it could not be read", async () => {
    const { panel, server, press } = await openTab("Account", {
      before: (fakes) => fakes.server.on("GET", "/account", { status: 400 }),
    });
    panel.getByText("Failed to get account data");
    panel.getByText("Failed to get plan details");
    panel.getByText("Failed to get security status");
    expect(panel.getAllByText("Not available")).to.have.length(2);
    server.on("GET", "/account", { json: createUser("ada@example.org") });
    await press("Try Again");
    panel.getByText("ada@example.org");
    panel.getByText("This server does not report how much of the plan is used.");
    expect(panel.queryByText(/Failed to get/)).to.equal(null);
  });

  it('shows an account without an address, whose email is "Not available" (AC3)', async () => {
    const { email: _, ...nameless } = createUser("ada@example.org");
    const { panel, app } = await openTab("Account", {
      before: (fakes) => fakes.server.on("GET", "/account", { json: nameless }),
    });
    panel.getByText("Not available");
    panel.getByText("January 5, 2026");
    expect(panel.queryByText(/Failed to get/)).to.equal(null);
    expect(app.session.state$.value).to.have.nested.property("user.email", "ada@example.org");
  });

  it("shows placeholders for its panels, and no figures, while it is loading", async () => {
    const { panel } = await openTab("Account", {
      before: (fakes) => fakes.server.on("GET", "/account", "silent"),
    });
    panel.getByText("Loading your plan");
    panel.getByText("Loading your SecuriScore");
    expect(panel.queryByRole("meter")).to.equal(null);
    expect(panel.queryByText("Not available")).to.equal(null);
  });

  it("shows cached data when there is no network, and says so (AC4)", async () => {
    const { server, press, user, online$, act, advance } = await openTab("Account");
    server.cutOff(true);
    await act(() => online$.set(false));
    await advance(300_000);
    for (const name of ["Masks", "Account"]) await user.click(tabLink(name));
    const warning = "Using cached account data. Refresh when online.";
    await screen.findByText(warning);
    screen.getByText("January 5, 2026");
    server.cutOff(false);
    await press("Refresh");
    expect(screen.queryByText(warning)).to.equal(null);
  });

  it("asks before a logout that would lose unsent rules, as the header does (D45)", async () => {
    const { panel, app, server, online$, act, user } = await openTab("Account", {
      masks: [createMask("shop")],
    });
    const { rules } = app;
    server.cutOff(true);
    await act(() => online$.set(false));
    const condition = {
      id: "c",
      field: "subject" as const,
      operator: "contains" as const,
      value: "sale",
      until: "",
      timeZone: "UTC",
    };
    await act(
      () =>
        void rules.create(
          {
            ...emptyRuleDraft,
            name: "Sales",
            type: "content_filter",
            conditions: [condition],
            actions: [{ id: "a", type: "tag", params: { tag: "Sale" } }],
          },
          "shop",
        )(),
    );
    await user.click(panel.getByRole("button", { name: beginning("Log Out") }));
    const question = within(await screen.findByRole("alertdialog", { name: "Log out?" }));
    question.getByText("1 rule is not on the server yet. Logging out deletes the change.");
    await user.click(question.getByRole("button", { name: "Stay" }));
    await waitFor(() => expect(screen.queryByRole("alertdialog")).to.equal(null));
    expect(app.session.state$.value.kind).to.equal("signed-in");
  });
});

describe("The SecuriScore", () => {
  useDom();
  afterEach(closePages);
  const score = () => screen.getByRole("meter", { name: "SecuriScore" }).getAttribute("aria-valuetext");
  const tips = () =>
    within(screen.getByRole("list", { name: "Improve your score:" }))
      .getAllByRole("link")
      .map(({ textContent }) => textContent);

  it("shows the points and the first three tips with the points they add (AC2, D13)", async () => {
    await openTab("Account", { user: plain, masks: of(2) });
    expect(score()).to.equal("52 of 100 points");
    expect(tips()).to.deep.equal([
      "Switch on two-factor authentication +15 points",
      "Set up email encryption +15 points",
      "Use 5 or more active masks (your plan has 2) +8 points",
    ]);
  });

  it("congratulates a user who has followed all tips (AC2)", async () => {
    const user = createUser("ada@example.org", {
      subscription: { tier: "business", status: "active" },
      twoFactor: { enabled: true },
    });
    const { panel } = await openTab("Account", { user, masks: of(5) });
    panel.getByText("Great job! You've maximized your security score.");
    expect(panel.queryByText("Improve your score:")).to.equal(null);
  });

  it("is 50 with general tips while the account cannot be loaded (AC2)", async () => {
    await openTab("Account", { before: ({ server }) => server.on("GET", "/account", { status: 500 }) });
    expect(score()).to.equal("50 of 100 points");
    expect(tips()).to.deep.equal([
      "Switch on two-factor authentication",
      "Set up email encryption",
      "Use a mask of its own for each site",
    ]);
  });

  it("links each tip to its setting, and moves the focus there (AC2)", async () => {
    const { user, act } = await openTab("Account", { user: plain, masks: of(2) });
    await user.click(screen.getByRole("link", { name: beginning("Switch on two-factor") }));
    const security = await screen.findByRole("heading", { name: "Security Settings" });
    await act(() => {});
    expect(document.activeElement).to.equal(security);

    await user.click(tabLink("Account"));
    await user.click(await screen.findByRole("link", { name: beginning("Use 5 or more") }));
    await screen.findByRole("heading", { name: "Your Email Masks" });
    expect(document.activeElement).to.equal(screen.getByRole("main", { name: "Masks" }));
  });

  it("links the tip about the plan to the plan on the same tab", async () => {
    const user = createUser("ada@example.org", { twoFactor: { enabled: true } });
    const page = await openTab("Account", { user, masks: of(5) });
    await page.user.click(screen.getByRole("link", { name: beginning("Upgrade to the Pro plan") }));
    expect(document.activeElement).to.equal(screen.getByRole("heading", { name: "Plan" }));
  });

  it("updates, along with the usage, when something changes elsewhere", async () => {
    const { server, sockets, act, advance } = await openTab("Account", { user: plain, masks: of(1) });
    await act(() => {
      sockets.latest().accept();
      sockets.latest().push({ type: "auth_response", data: { success: true, userId: "u" } });
    });
    expect(score()).to.equal("52 of 100 points");
    server.on("GET", "/account", {
      json: {
        ...createUser("ada@example.org", {
          subscription: { tier: "pro", status: "active" },
          twoFactor: { enabled: true },
        }),
        usage: {
          masks: { active: 4, total: 4 },
          emails: { thisMonth: 1_600, forwarded: 9, blocked: 1, repliedToday: 480 },
        },
        limits: {
          maxMasks: 25,
          emailsPerMonth: 2_000,
          storageLimit: "20MB",
          historyRetention: "1 year",
          repliesPerDay: 500,
        },
      },
    });
    await advance(2_000);
    for (const resource of ["masks", "account"]) {
      await act(() => sockets.latest().push({ type: "data_update", data: { resource, action: "updated" } }));
      await advance(1_000);
    }
    expect(score()).to.equal("90 of 100 points");
    expect(screen.getByRole("meter", { name: "Emails this month" }).getAttribute("aria-valuetext")).to.equal(
      "1,600 of 2,000 emails",
    );
    expect(screen.getByRole("meter", { name: "Replies today" }).getAttribute("aria-valuetext")).to.equal(
      "480 of 500 replies",
    );
    within(screen.getByRole("region", { name: "Plan" })).getByText("Pro");
  });
});
