import "../../../support/dom.ts";
// Lazily loaded by the app; imported here so that loading it takes no time in the test.
import "../../../../web/ui/overlay/MenuPopup.tsx";
import { screen, within } from "@testing-library/react";
import { expect } from "chai";
import type { Answer } from "../../../fakes/fakeHttp.ts";
import { createMask } from "../../../fakes/productServer.ts";
import { useDom } from "../../../support/jsdom.ts";
import { closePages } from "../../support/openPage.tsx";
import { openTab } from "../../support/openTab.ts";
import { tabLink } from "../../support/tabLink.ts";

const ruleNamed = (id: string, name: string) => ({
  id,
  name,
  type: "content_filter",
  enabled: true,
  conditions: [{ field: "subject", operator: "contains", value: ["sale"] }],
  actions: [{ type: "tag", params: { tag: name } }],
  updatedAt: "2026-11-01T10:00:00.000Z",
});

const withRules = (id: string, ...rules: readonly unknown[]) =>
  createMask(id, { settings: { rules: [...rules] } });

/** Opens the rules tab and switches a rule off in each of two masks while the server cannot be reached. */
const openPending = async () => {
  const page = await openTab("Rules", {
    masks: [withRules("shop", ruleNamed("r1", "Sales")), withRules("news", ruleNamed("r2", "Offers"))],
  });
  page.server.on("PUT", "/masks/:id", "unreachable");
  for (const [mask, rule] of [
    ["shop", "Sales"],
    ["news", "Offers"],
  ] as const) {
    await page.act(() => page.app.rules.select(mask));
    await page.user.click(page.panel.getByRole("switch", { name: `${rule} is on` }));
    await page.act(() => {});
  }
  await page.advance(5_000);
  page.panel.getByText("2 mask(s) with 2 rule(s) pending sync");
  const syncNow = async (answer: (request: { readonly path: string }) => Answer): Promise<void> => {
    page.server.on("PUT", "/masks/:id", answer);
    await page.press("Sync Now");
  };
  return { ...page, syncNow };
};

const messages = () => within(screen.getByRole("region", { name: "Messages" }));

describe("A sync that the user starts", () => {
  useDom();
  afterEach(closePages);

  it('shows "Syncing pending rules..." while it runs (SY4)', async () => {
    const page = await openPending();
    await page.syncNow(() => "silent");
    page.panel.getByText("Syncing pending rules...");
    await page.advance(15_000);
    expect(page.panel.queryByText("Syncing pending rules...")).to.equal(null);
    messages().getByText("Sync failed. Will retry when online.");
  });

  it('shows "{n} mask(s) still pending sync" when some masks were saved (SY4)', async () => {
    const page = await openPending();
    await page.syncNow(({ path }) =>
      path.endsWith("shop")
        ? { json: withRules("shop", { ...ruleNamed("r1", "Sales"), enabled: false }) }
        : { status: 503 },
    );
    messages().getByText("1 mask(s) still pending sync");
    page.panel.getByText("1 mask(s) with 1 rule(s) pending sync");
  });

  it('shows "Failed to sync rules: {reason}" when the server refuses (SY4)', async () => {
    const page = await openPending();
    await page.syncNow(() => ({ status: 400, json: { message: "A mask can have at most 100 rules." } }));
    messages().getByText("Failed to sync rules: A mask can have at most 100 rules.");
    expect(
      page.panel.getAllByText(/The server does not take the rules of “Mask (shop|news)”/),
    ).to.have.length(2);
  });

  it('shows "Successfully synced rules for {n} mask(s)" when all were saved (SY4)', async () => {
    const page = await openPending();
    await page.syncNow(({ path }) => {
      const id = path.split("/").at(-1) ?? "";
      const rule = id === "shop" ? ruleNamed("r1", "Sales") : ruleNamed("r2", "Offers");
      return { json: withRules(id, { ...rule, enabled: false }) };
    });
    messages().getByText("Successfully synced rules for 2 mask(s)");
    expect(page.panel.queryByText(/pending sync/)).to.equal(null);
  });
});

describe("Texts about rules that could not be loaded (RU9)", () => {
  useDom();
  afterEach(closePages);

  it('are "Could not load rule details" on the cards when the figures are missing', async () => {
    const page = await openTab("Rules", {
      masks: [withRules("shop", ruleNamed("r1", "Sales"))],
      before: ({ server }) => server.on("GET", "/masks/:id/stats", { status: 400 }),
    });
    await page.advance(300);
    page.panel.getByText("Could not load rule details");
  });

  it('are "Failed to load rule data: {reason}" when old rules cannot be read again', async () => {
    const page = await openTab("Rules", { masks: [withRules("shop", ruleNamed("r1", "Sales"))] });
    await page.user.click(tabLink("Masks"));
    await page.advance(310_000);
    page.server.on("GET", "/masks", { status: 400, json: { message: "Not now." } });
    await page.user.click(tabLink("Rules"));
    await page.advance(1_000);
    messages().getByText("Failed to load rule data: Not now.");
  });

  it('are "Rule not found" when a rule was deleted elsewhere (RU7)', async () => {
    const page = await openTab("Rules", { masks: [withRules("shop", ruleNamed("r1", "Sales"))] });
    const outcome = await page.app.rules.setEnabled("gone", false, "shop")();
    expect(outcome._tag === "Left" && outcome.left.message).to.equal("Rule not found");
  });
});

describe("A rule that this version of the app cannot read", () => {
  useDom();
  afterEach(closePages);

  it("is said, and survives a save of the others, in its place", async () => {
    const hologram = { id: "h1", name: "From a later version", type: "hologram", projector: { beams: 3 } };
    const page = await openTab("Rules", {
      masks: [withRules("shop", ruleNamed("r1", "Sales"), hologram, ruleNamed("r2", "Offers"))],
    });
    page.panel.getByText("1 rule could not be shown.");
    await page.user.click(page.panel.getByRole("switch", { name: "Offers is on" }));
    await page.act(() => {});
    const [request] = page.server.requestsTo("PUT /masks/shop");
    const { settings } = (request?.body ?? { settings: { rules: [] } }) as {
      settings: { rules: readonly { id: string }[] };
    };
    expect(settings.rules.map(({ id }) => id)).to.deep.equal(["r1", "h1", "r2"]);
    expect(settings.rules[1]).to.deep.equal(hologram);
  });
});

describe("Changes on two devices that replace each other", () => {
  useDom();
  afterEach(closePages);

  /** Opens the rules with a change of the name here, which another device has changed, too. */
  const openReplaced = async () => {
    const page = await openTab("Rules", { masks: [withRules("shop", ruleNamed("r1", "Sales"))] });
    page.server.on("PUT", "/masks/:id", "unreachable");
    const here = { ...ruleNamed("r1", "Mine"), updatedAt: "2026-11-02T10:00:00.000Z" };
    await page.act(() => {
      const rule = page.app.rules.view$.value.rules[0]?.rule;
      if (rule) void page.app.rules.takeParts({ ...rule, ...here } as typeof rule, ["name"], "shop")();
    });
    page.server.on("PUT", "/masks/:id", { json: withRules("shop", ruleNamed("r1", "Theirs")) });
    await page.press("Sync Now");
    return page;
  };

  it("are shown with both, and the user keeps one of them", async () => {
    const page = await openReplaced();
    page.panel.getByText(/“Mine” was changed on two devices: the name/);
    await page.press("Keep mine");
    expect(page.panel.queryByText(/was changed on two devices/)).to.equal(null);
    const last = page.server.requestsTo("PUT /masks/shop").at(-1)?.body as {
      settings: { rules: readonly { name: string }[] };
    };
    expect(last.settings.rules.map(({ name }) => name)).to.deep.equal(["Mine"]);
  });

  it("are dismissed without a request when the user keeps the other", async () => {
    const page = await openReplaced();
    const before = page.server.requestsTo("PUT /masks/shop").length;
    await page.press("Keep the other");
    expect(page.panel.queryByText(/was changed on two devices/)).to.equal(null);
    expect(page.server.requestsTo("PUT /masks/shop")).to.have.length(before);
  });
});
