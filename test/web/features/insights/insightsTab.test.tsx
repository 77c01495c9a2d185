import "../../../support/dom.ts";
// Lazily loaded by the app; imported here so that loading it takes no time in the test.
import "../../../../web/features/insights/SuggestionDialog.tsx";
import { screen, within } from "@testing-library/react";
import { expect } from "chai";
import { createFigures, createSuggestion, noMail } from "../../../fakes/productInsights.ts";
import { createMask, createUser } from "../../../fakes/productServer.ts";
import { useDom } from "../../../support/jsdom.ts";
import { beginning, closePages } from "../../support/openPage.tsx";
import { openTab } from "../../support/openTab.ts";
import { tabLink } from "../../support/tabLink.ts";

type Options = NonNullable<Parameters<typeof openTab>[1]>;

const pro = createUser("ada@example.org", { subscription: { tier: "pro", status: "active" } });
const twoMasks = [createMask("a"), createMask("b", { active: false })];

const openInsights = async (
  prepare: (page: Awaited<ReturnType<typeof openTab>>["product"]["insights"]) => void = () => {},
  options: Options = {},
) => {
  const page = await openTab("Masks", { masks: twoMasks, ...options });
  page.product.insights.setFigures(createFigures());
  prepare(page.product.insights);
  await page.user.click(tabLink("Insights"));
  await page.act(() => {});
  await page.act(() => {});
  const panel = within(await screen.findByRole("main", { name: "Insights" }));
  return { ...page, panel };
};

const region = (name: string) => within(screen.getByRole("region", { name }));
const items = (name: string, label: string) =>
  within(region(name).getByRole("figure", { name: label }))
    .getAllByRole("img")
    .map((one) => one.getAttribute("aria-label"));

describe("The insights tab", () => {
  useDom();
  afterEach(closePages);

  it('shows "Loading insights..." and no figures while they are loading (IN1)', async () => {
    const page = await openTab("Masks", { masks: twoMasks });
    page.server.on("GET", "/ai/insights", "silent");
    await page.user.click(tabLink("Insights"));
    await page.act(() => {});
    const panel = within(screen.getByRole("main", { name: "Insights" }));
    expect(panel.getByRole("heading", { level: 1 }).textContent).to.equal("Email Insights");
    expect(panel.getByRole("status").textContent).to.equal("Loading insights...");
    expect(panel.queryByText("Total received")).to.equal(null);
  });

  it("shows e-mails this month and active masks with their limits, and the totals (IN4)", async () => {
    await openInsights();
    expect(screen.getByRole("meter", { name: "Emails this month" }).getAttribute("aria-valuetext")).to.equal(
      "172 of 100 emails",
    );
    expect(screen.getByRole("meter", { name: "Active masks" }).getAttribute("aria-valuetext")).to.equal(
      "1 of 2 masks",
    );
    const stats = region("This month and in total");
    const figure = (label: string) => stats.getByText(label).nextElementSibling?.textContent;
    expect(figure("Total received")).to.equal("1,234");
    expect(figure("Forwarded")).to.equal("1,030");
    expect(figure("Blocked")).to.equal("204");
    stats.getByText(/12 system emails this month, such as sign-in codes, do not count/);
    stats.getByText("Totals count since October 1, 2026.");
  });

  describe("where nothing is sold (IN4, IN8, D121)", () => {
    const settings = {
      configuration: { brand: "Bauta", maskDomain: "masks.example", defaultTier: "pro" },
    };
    const facts = (label: string) => {
      const term = region("This month and in total").getByText(label);
      const [value, hint] = [term.nextElementSibling, term.nextElementSibling?.nextElementSibling];
      return [value?.textContent, hint?.textContent];
    };

    it("says what each figure counts, beside the most that the operator has set", async () => {
      await openInsights(() => {}, { settings, user: pro });
      expect(facts("Emails this month")).to.deep.equal(["172 of 2,000", "let through since the 1st (UTC)"]);
      expect(facts("Active masks")).to.deep.equal(["1 of 25", "1 more mask is switched off and counts too"]);
      expect(facts("System emails")).to.deep.equal(["12", "such as sign-in codes; they do not count"]);
      expect(facts("Total received")).to.deep.equal(["1,234", "all that came, blocked or not"]);
      expect(facts("Forwarded")).to.deep.equal(["1,030", "sent on to you"]);
      expect(facts("Blocked")).to.deep.equal(["204", "refused or dropped"]);
    });

    it("shows figures without a most where there is none", async () => {
      const own = createUser("ada@example.org", { subscription: { tier: "self_hosted", status: "active" } });
      await openInsights(() => {}, { settings, user: own });
      expect(facts("Emails this month")[0]).to.equal("172");
      expect(facts("Active masks")[0]).to.equal("1");
    });
  });

  it("has its panels, including the comparison when there are two masks and none is selected (IN5)", async () => {
    const { panel } = await openInsights();
    const titles = panel.getAllByRole("heading", { level: 2 }).map(({ textContent }) => textContent);
    expect(titles.slice(0, 3), "figures and the chart come first").to.deep.equal([
      "This month and in total",
      "Mail by day",
      "Suggestions",
    ]);
    expect(titles).to.have.members([
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
    ]);
  });

  it("shows the checks of senders, ARC among them once a mail has a seal", async () => {
    await openInsights();
    const checks = () => items("Security Insights", "Checks of senders");
    expect(checks()).to.deep.equal([
      "SPF: Passed 1,200, Failed 34, Not told 0",
      "DMARC: Passed 1,100, Failed 100, Not told 34",
      "ARC: Passed 12, Failed 0, Not told 1,222",
    ]);
    closePages();
    await openInsights((insights) =>
      insights.setFigures({ ...createFigures(), verdicts: { "arc=none": 7, "spf=pass": 7 } }),
    );
    expect(checks()).to.deep.equal(["SPF: Passed 7, Failed 0, Not told 0"]);
  });

  it("shows no comparison when there is only one mask (IN5)", async () => {
    await openInsights(
      (insights) => insights.setFigures(createFigures({ masks: createFigures().masks?.slice(0, 1) ?? [] })),
      { masks: [createMask("a")] },
    );
    expect(screen.queryByRole("region", { name: "Mask Comparison" })).to.equal(null);
  });

  it("lists 5 rules, 5 block reasons, 5 security events, 4 categories and at most 3 masks (IN5)", async () => {
    await openInsights(
      (insights) => {
        insights.setAccess({ contentAccessEnabled: true, contentAccessAcknowledged: true });
        insights.setFigures(
          createFigures({
            masks: ["a", "b", "c", "d"].map((id, n) => ({
              id,
              description: `Mask ${id}`,
              active: true,
              received: 100,
              forwarded: 90 - n,
              blocked: 10 + n,
            })),
          }),
        );
      },
      { user: pro },
    );
    expect(items("Rule Effectiveness", "Most active rules")).to.deep.equal(
      [70, 60, 50, 40, 30].map((count, n) => `Rule ${n}: ${count}`),
    );
    expect(items("Security Insights", "Top block reasons")).to.have.length(5);
    expect(region("Security Insights").getAllByText(/^Event \d$/)).to.have.length(5);
    expect(items("Security Insights", "Blocked mail, by mask")).to.deep.equal([
      "Mask d: 13",
      "Mask c: 12",
      "Mask b: 11",
    ]);
    const top = region("Email Categorization").getByLabelText("Top categories");
    expect(
      within(top)
        .getAllByRole("term")
        .map(({ textContent }) => textContent),
    ).to.deep.equal(["Promotional", "Transactional", "Newsletters", "Personal"]);
  });

  it("links the mail that rules have archived to its list", async () => {
    const { follow, act, server } = await openInsights((insights) =>
      insights.setFigures(createFigures({ actions: { archive: 3 } })),
    );
    const storage = { used: 0, limit: 1_000_000 };
    server.on("GET", "/archive", { json: { mails: [], more: false, storage } });
    await follow("Show archived mail");
    const heading = await screen.findByRole("heading", { name: "Archived mail" });
    await act(() => {});
    expect(document.activeElement).to.equal(heading);
  });

  it("shows the table behind a chart, and the chart again", async () => {
    const { press } = await openInsights();
    await press("Show as table: Mail by mask");
    const table = within(screen.getByRole("table", { name: "Mail by mask" }));
    expect(table.getAllByRole("row").map(({ textContent }) => textContent)).to.deep.equal([
      "MaskForwardedBlockedOtherIn all",
      "Mask a1,00020001,200",
      "Mask b304034",
    ]);
    await press("Show as chart: Mail by mask");
    expect(screen.queryByRole("table")).to.equal(null);
  });

  it("shows one mask when it is selected, without the comparison (IN1, IN5)", async () => {
    const { press, user, act, server } = await openInsights((insights) =>
      insights.setFigures(
        createFigures({ total: 34, flow: { received: 34, forwarded: 30, blocked: 4 } }),
        "b",
      ),
    );
    await press(/All Masks/);
    await user.click(screen.getByRole("option", { name: /^Mask b/ }));
    await act(() => {});
    expect(server.requestsTo("GET /ai/insights").at(-1)?.url).to.equal("/ai/insights?maskId=b");
    region("This mask").getByText("34");
    expect(screen.queryByRole("region", { name: "Mask Comparison" })).to.equal(null);
  });

  it("shows why there are no figures, with Try Again (IN1, IN6)", async () => {
    const page = await openTab("Masks", { masks: twoMasks });
    page.server.on("GET", "/ai/insights", { status: 400 });
    await page.user.click(tabLink("Insights"));
    await page.act(() => {});
    await screen.findByText("Failed to get insights data");
    page.server.on("GET", "/ai/insights", { json: createFigures() });
    await page.press("Try Again");
    region("This month and in total").getByText("1,234");
    expect(screen.queryByText("Failed to get insights data")).to.equal(null);
  });

  it("shows an empty state while no mail has arrived, without invented figures", async () => {
    await openInsights((insights) => insights.setFigures(noMail), { masks: [] });
    screen.getByText("No mail has come yet.");
    const way = screen.getByRole("link", { name: "Create your first mask" });
    expect(way.getAttribute("href")).to.equal("#masks/new");
    expect(screen.queryByRole("region", { name: "Tag Analytics" })).to.equal(null);
    expect(screen.getByText("Total received").nextElementSibling?.textContent).to.equal("0");
  });

  it("says that content access is off, with a link to Settings", async () => {
    const { follow } = await openInsights(() => {}, { user: pro });
    region("Email Categorization").getByText(/^Content access is off/);
    await follow("Open Settings");
    await screen.findByRole("main", { name: "Settings" });
    screen.getByRole("switch", { name: "Content access" });
  });

  it("says which plan sorts mail, with a link to it", async () => {
    const { follow } = await openInsights();
    region("Email Categorization").getByText("Content access features require Pro tier or higher.");
    await follow("See your plan");
    await screen.findByRole("main", { name: "Account" });
  });

  it("links a mask's bar to its card", async () => {
    const { follow } = await openInsights();
    await follow("Mask b, open its card");
    await screen.findByRole("main", { name: "Masks" });
    expect(screen.getByRole<HTMLInputElement>("searchbox").value).to.equal("b@masks.example");
    expect(document.activeElement?.textContent).to.contain("Masks");
  });

  it("links a rule to the rules of its mask", async () => {
    const { follow } = await openInsights();
    await follow("Rule 1, open its rules");
    const rules = within(await screen.findByRole("main", { name: "Rules" }));
    rules.getByRole("button", { name: /^Mask b/ });
  });

  describe("lists suggestions", () => {
    const list = () => screen.getByRole("region", { name: "Suggestions" });
    const titles = () =>
      within(list())
        .queryAllByRole("heading", { level: 3 })
        .map(({ textContent }) => textContent);

    it("or an empty state (IN2)", async () => {
      await openInsights();
      within(list()).getByText("No suggestions available at this time. Check back later!");
    });

    it("by All Insights, Applied and Unapplied, with counts (IN2)", async () => {
      const page = await openInsights(
        (insights) =>
          insights.suggest(createSuggestion("one"), createSuggestion("two"), createSuggestion("three")),
        { masks: [createMask("a")] },
      );
      await page.user.click(screen.getAllByRole("button", { name: "Create mask" })[1] as HTMLElement);
      const form = within(await screen.findByRole("dialog"));
      await page.user.type(form.getByLabelText(/^Description/), "News");
      await page.user.click(form.getByRole("button", { name: beginning("Create Mask") }));
      await page.act(() => {});
      const chips = () =>
        within(list())
          .getAllByRole("radio")
          .map((chip) => chip.closest("label")?.textContent);
      expect(chips()).to.deep.equal(["All Insights 3", "Applied 1", "Unapplied 2"]);
      await page.user.click(screen.getByRole("radio", { name: /^Applied/ }));
      expect(titles()).to.deep.equal(["Suggestion two"]);
      await page.user.click(screen.getByRole("radio", { name: /^Unapplied/ }));
      expect(titles()).to.deep.equal(["Suggestion one", "Suggestion three"]);
    });

    it("that can be dismissed, with Undo for 5 s (IN3)", async () => {
      const page = await openInsights((insights) =>
        insights.suggest(createSuggestion("one"), createSuggestion("two")),
      );
      await page.user.click(screen.getAllByRole("button", { name: "Dismiss" })[0] as HTMLElement);
      await page.act(() => {});
      expect(document.activeElement?.getAttribute("aria-label")).to.equal("Undo: Suggestion one");
      await page.press("Undo: Suggestion one");
      expect(titles()).to.deep.equal(["Suggestion one", "Suggestion two"]);
      await page.user.click(screen.getAllByRole("button", { name: "Dismiss" })[0] as HTMLElement);
      await page.advance(5_000);
      expect(titles()).to.deep.equal(["Suggestion two"]);
      expect(page.product.insights.statusOf("one")).to.equal(2);
    });

    it("where Mask opens the mask form prefilled, and creating the mask applies it (IN3)", async () => {
      const page = await openInsights(
        (insights) =>
          insights.suggest(
            createSuggestion("split:a", {
              action: "createMask",
              maskName: "news.example",
              forwardTo: "reading@example.org",
              category: "newsletter",
            }),
          ),
        { masks: [createMask("a")] },
      );
      await page.press("Create mask");
      const form = within(await screen.findByRole("dialog", { name: "Create Email Mask from Suggestion" }));
      expect(form.getByLabelText<HTMLInputElement>(/^Description/).value).to.equal("news.example");
      expect(form.getByLabelText<HTMLInputElement>("Forward to").value).to.equal("reading@example.org");
      await page.user.click(form.getByRole("button", { name: beginning("Create Mask") }));
      await page.act(() => {});
      screen.getByText("Mask created successfully from suggestion!");
      expect(page.product.masks().at(-1)?.metadata).to.deep.equal({
        suggestionId: "split:a",
        suggestionCategory: "newsletter",
      });
      expect(page.product.insights.statusOf("split:a")).to.equal(1);
      within(within(list()).getByRole("listitem")).getByText("Applied");
    });

    it("where Rule opens the rule editor prefilled, and saving the rule applies it (IN3)", async () => {
      const page = await openInsights((insights) =>
        insights.suggest(
          createSuggestion("leak:shop.example", {
            action: "createBlockRule",
            actionText: "Block sender",
            maskId: "b",
            rule: {
              name: "Block shop.example",
              type: "domain_filter",
              conditions: [{ field: "sender", operator: "ends_with", value: "shop.example" }],
              actions: [{ type: "block", params: { silentBlock: false } }],
            },
          }),
        ),
      );
      await page.press("Block sender");
      const form = within(await screen.findByRole("dialog", { name: "Create Rule from Suggestion" }));
      expect(form.getByLabelText<HTMLInputElement>(/^Rule Name/).value).to.equal("Block shop.example");
      form.getByRole("button", { name: /^Mask b/ });
      await page.user.click(form.getByRole("button", { name: beginning("Save Rule") }));
      await page.act(() => {});
      await page.act(() => {});
      screen.getByText("Rule created successfully from suggestion!");
      const rules = page.product.masks().find(({ id }) => id === "b")?.settings?.rules ?? [];
      expect(rules).to.have.length(1);
      expect(rules[0]).to.include({ name: "Block shop.example", type: "domain_filter" });
      expect(page.product.insights.statusOf("leak:shop.example")).to.equal(1);
    });

    it("where switching a mask off asks for confirmation first", async () => {
      const page = await openInsights((insights) =>
        insights.suggest(
          createSuggestion("idle:a", { action: "switchOff", actionText: "Switch off", maskId: "a" }),
        ),
      );
      await page.press("Switch off");
      const question = within(await screen.findByRole("alertdialog", { name: "Switch off Mask a?" }));
      await page.user.click(question.getByRole("button", { name: beginning("Switch off") }));
      await page.act(() => {});
      expect(page.product.masks().find(({ id }) => id === "a")?.active).to.equal(false);
      screen.getByText("Mask deactivated successfully");
      expect(page.product.insights.statusOf("idle:a")).to.equal(1);
    });

    it("where the one about forged mail turns the spam filter on", async () => {
      const page = await openInsights(
        (insights) =>
          insights.suggest(
            createSuggestion("forged:a", {
              action: "turnOnSpamProtection",
              actionText: "Switch on spam filter",
              maskId: "a",
            }),
          ),
        { masks: [createMask("a", { settings: { spamFilter: false, rules: [] } })] },
      );
      await page.press("Switch on spam filter");
      const question = within(
        await screen.findByRole("alertdialog", { name: "Switch on the spam filter of Mask a?" }),
      );
      await page.user.click(question.getByRole("button", { name: beginning("Switch on") }));
      await page.act(() => {});
      expect(page.product.masks()[0]?.settings?.spamFilter).to.equal(true);
      expect(page.product.insights.statusOf("forged:a")).to.equal(1);
    });

    for (const [action, actionText] of [
      ["setUpTwoFactor", "Set up 2FA"],
      ["setUpEncryption", "Set up encryption"],
    ] as const)
      it(`where "${actionText}" links to Settings`, async () => {
        const page = await openInsights((insights) =>
          insights.suggest(createSuggestion("security", { action, actionText, type: "security" })),
        );
        const way = screen.getByRole("link", { name: actionText });
        expect(way.getAttribute("href"), "can be opened in another tab").to.equal("#settings/security");
        await page.user.click(way);
        await page.act(() => {});
        await screen.findByRole("main", { name: "Settings" });
        expect(page.product.insights.statusOf("security")).to.equal(0);
      });

    it("where an unknown one says so (IN3)", async () => {
      const page = await openInsights((insights) =>
        insights.suggest(createSuggestion("odd", { action: "teleport", actionText: "Teleport" })),
      );
      await page.press("Teleport");
      screen.getByText(/^Unknown action: teleport\./);
      expect(page.product.insights.statusOf("odd")).to.equal(0);
    });
  });
});
