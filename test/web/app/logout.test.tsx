import "../../support/dom.ts";
import { screen, waitFor, within } from "@testing-library/react";
import { expect } from "chai";
import { toMaskDraft } from "../../../core/masks/maskDraft.ts";
import { createWaitingMasks } from "../../../core/masks/waitingMasks.ts";
import { emptyRuleDraft } from "../../../core/rules/editing/ruleDraft.ts";
import { createMask } from "../../fakes/productServer.ts";
import { useDom } from "../../support/jsdom.ts";
import { beginning, closePages, type OpenPage, openMasks } from "../support/openPage.tsx";

const draft = {
  ...emptyRuleDraft,
  name: "Sales",
  type: "content_filter" as const,
  conditions: [
    {
      id: "c",
      field: "subject" as const,
      operator: "contains" as const,
      value: "sale",
      until: "",
      timeZone: "UTC",
    },
  ],
  actions: [{ id: "a", type: "tag" as const, params: { tag: "Sale" } }],
};

describe("Logging out with masks that wait for a connection", () => {
  useDom();
  afterEach(closePages);
  const open = async (): Promise<OpenPage> => {
    const page = await openMasks({ masks: [] });
    page.server.cutOff(true);
    await page.act(() => page.online$.set(false));
    const waiting = page.app.shownFeature(createWaitingMasks).feature;
    const draft = { ...toMaskDraft(), description: "Corner Shop", forwardTo: "ada@example.org" };
    await page.act(() => void waiting.create(draft)());
    await page.press("Log out");
    return page;
  };
  const question = async () => within(await screen.findByRole("alertdialog", { name: "Log out?" }));

  it("asks first, and keeps them when the user stays", async () => {
    const page = await open();
    const dialog = await question();
    await dialog.findByText("1 mask is not created yet. Logging out deletes it.");
    await page.user.click(dialog.getByRole("button", { name: "Stay" }));
    await waitFor(() => expect(screen.queryByRole("alertdialog")).to.equal(null));
    expect(page.app.hasWaitingMasks()).to.equal(true);
    expect(page.app.session.state$.value.kind).to.equal("signed-in");
  });

  it("asks first for changes of masks too", async () => {
    const page = await openMasks({ masks: [createMask("shop"), createMask("bank")] });
    page.app.shownFeature(createWaitingMasks);
    await page.act(() => page.online$.set(false));
    for (const id of ["shop", "bank"])
      await page.act(() => void page.signedIn().masks.setActive(id, false)());
    await page.press("Log out");
    await (await question()).findByText("2 changes of masks are not saved. Logging out deletes them.");
  });

  it("deletes them when the user chooses so", async () => {
    const page = await open();
    await page.user.click((await question()).getByRole("button", { name: beginning("Log out") }));
    await waitFor(() => expect(page.app.session.state$.value.kind).to.equal("signed-out"));
    expect(page.storage.local.read("waitingMasks")).to.equal(null);
  });
});

describe("Logging out with unsent rules", () => {
  useDom();
  let page: OpenPage;
  beforeEach(async () => {
    page = await openMasks({ masks: [createMask("shop")] });
    const { rules } = page.app;
    page.server.cutOff(true);
    await page.act(() => page.online$.set(false));
    await page.act(() => void rules.create(draft, "shop")());
    await page.press("Log out");
    await screen.findByRole("alertdialog", { name: "Log out?" });
  });
  afterEach(closePages);

  const question = () => within(screen.getByRole("alertdialog"));
  const pressIn = async (name: string): Promise<void> => {
    await page.user.click(question().getByRole("button", { name: beginning(name) }));
    await page.act(() => {});
  };
  const pending = (): string | null => page.storage.local.read("pendingRulesSync");

  it("asks first, and keeps the session when the user cancels", async () => {
    question().getByText("1 rule is not on the server yet. Logging out deletes the change.");
    await pressIn("Stay");
    await waitFor(() => expect(screen.queryByRole("alertdialog")).to.equal(null));
    expect(page.app.session.state$.value.kind).to.equal("signed-in");
    expect(pending()).to.not.equal(null);
  });

  it("deletes them when the user chooses so (D45)", async () => {
    await pressIn("Log out");
    expect(page.app.session.state$.value.kind).to.equal("signed-out");
    // The server is away, so that the logout is owed to it.
    expect(page.storage.local.keys()).to.deep.equal(["owedLogout"]);
  });

  it("sends them first when the server can be reached", async () => {
    await pressIn("Sync Now, then log out");
    question().getByText("They could not be sent. Try again when you are online.");
    page.server.cutOff(false);
    await pressIn("Sync Now, then log out");
    await page.advance(1_000);
    expect(page.product.masks()[0]?.settings?.rules).to.have.length(1);
    expect(page.app.session.state$.value.kind).to.equal("signed-out");
  });
});
