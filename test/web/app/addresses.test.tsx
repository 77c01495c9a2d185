import "../../support/dom.ts";
import "../../../web/app/commands/Commands.tsx";
import "../../../web/features/masks/MaskAddress.ts";
import "../../../web/features/masks/MaskDialogs.tsx";
import "../../../web/features/rules/RulesTab.tsx";
import "../../../web/features/held/HeldPage.tsx";
import { act, screen, waitFor, within } from "@testing-library/react";
import { expect } from "chai";
import { createMask } from "../../fakes/productServer.ts";
import { useDom } from "../../support/jsdom.ts";
import { closePages, openMasks, openPage } from "../support/openPage.tsx";
import { tabLink } from "../support/tabLink.ts";

const several = (count: number) =>
  Array.from({ length: count }, (_, at) =>
    createMask(`m${at + 1}`, {
      created: new Date(Date.UTC(2026, 9, 30 - at)).toISOString(),
      active: at % 2 === 0,
    }),
  );

const address = (): string => window.location.hash;

const followLink = (to: string): void => window.history.replaceState(null, "", to);

const cards = (): string[] =>
  screen.queryAllByRole("heading", { level: 2 }).map(({ textContent }) => textContent ?? "");

const go = async (steps: number): Promise<void> => {
  await act(async () => {
    const moved = new Promise((resolve) => window.addEventListener("popstate", resolve, { once: true }));
    window.history.go(steps);
    await moved;
  });
};

describe("The address of the page", () => {
  useDom();
  afterEach(closePages);

  it("stays that of a tab chosen just before the masks appear", async () => {
    const opening = openMasks({ masks: several(2) });
    const chooseSettings = new MutationObserver(() => {
      if (screen.queryByRole("navigation", { name: "Main" }) === null) return;
      chooseSettings.disconnect();
      window.history.pushState(null, "", "#settings");
    });
    chooseSettings.observe(document.body, { childList: true, subtree: true });
    const page = await opening;
    expect(address()).to.equal("#settings");
    await page.user.click(screen.getByRole("radio", { name: /^Active/ }));
    expect(address()).to.equal("#settings");
  });

  it("opens the form of a mask for the site of a page that was shared, with both filled in", async () => {
    followLink("/#masks/new?name=shop.example&site=www.shop.example");
    await openMasks();
    const dialog = within(await screen.findByRole("dialog", { name: "Create Mask" }));
    expect(dialog.getByLabelText<HTMLInputElement>(/^Description/).value).to.equal("shop.example");
    expect(dialog.getByLabelText<HTMLInputElement>("Made for").value).to.equal("www.shop.example");
  });

  for (const [to, title] of [
    ["#held", "Held mail"],
    ["#log", "Log"],
    ["#mailbox", "Mail in the app"],
    ["#settings", "Settings"],
  ] as const)
    it(`opens "${title}" at ${to}, and its tab of the browser is called so`, async () => {
      followLink(`/${to}`);
      await openPage();
      await screen.findByRole("main", { name: title });
      expect(document.title).to.equal(`${title} · Bauta`);
    });

  it("names the tab, and a link opens it", async () => {
    const page = await openMasks();
    await page.user.click(tabLink("Rules"));
    expect(address()).to.equal("#rules");
    closePages();
    followLink("/#rules");
    await openPage();
    await screen.findByRole("heading", { name: "Custom Rules" });
  });

  it("names the filter, the page and the search; back leads through clicks, not through letters", async () => {
    const page = await openMasks({ masks: several(14) });
    expect(address()).to.equal("#masks");
    await page.user.click(screen.getByRole("radio", { name: /^Active/ }));
    await page.press("Page 2");
    expect(address()).to.equal("#masks?filter=active&page=2");
    await page.user.type(screen.getByRole("searchbox"), "m1");
    await page.advance(300);
    expect(address()).to.equal("#masks?filter=active&search=m1");
    await go(-1);
    expect(address()).to.equal("#masks?filter=active");
    expect(cards()).to.deep.equal(["Mask m1", "Mask m3", "Mask m5", "Mask m7", "Mask m9"]);
    expect(screen.getByRole<HTMLInputElement>("searchbox").value).to.equal("");
    await go(-1);
    expect(cards()).to.deep.equal(["Mask m1", "Mask m2", "Mask m3", "Mask m4", "Mask m5"]);
    await go(1);
    expect(cards()[1]).to.equal("Mask m3");
  });

  it("shows in a second tab what a link names", async () => {
    followLink("/#masks?filter=disabled&search=m2&page=1");
    await openMasks({ masks: several(4) });
    expect(cards()).to.deep.equal(["Mask m2"]);
    expect(screen.getByRole<HTMLInputElement>("searchbox").value).to.equal("m2");
  });

  it("of a mask shows the page with its card, also when a filter would hide it", async () => {
    followLink("/#masks/m7?filter=disabled");
    await openMasks({ masks: several(9) });
    await waitFor(() => expect(cards()).to.contain("Mask m7"));
    expect(address()).to.equal("#masks?page=2");
    expect(document.activeElement?.getAttribute("aria-label")).to.match(/^Copy m7@/);
  });

  it("of a deleted mask says so and shows the list", async () => {
    followLink("/#masks/gone/edit");
    await openMasks({ masks: several(2) });
    await screen.findByText("This mask does not exist any more");
    expect(cards()).to.have.length(2);
    expect(address()).to.equal("#masks");
  });

  it("of a dialog opens it, and closing it leads to the list", async () => {
    followLink("/#masks/m2/edit?filter=disabled");
    const page = await openMasks({ masks: several(4) });
    const dialog = await screen.findByRole("dialog", { name: "Edit Mask" });
    expect(address()).to.equal("#masks/m2/edit?filter=disabled");
    await page.user.click(within(dialog).getByRole("button", { name: "Close" }));
    await waitFor(() => expect(address()).to.equal("#masks?filter=disabled"));
    await go(1);
    await screen.findByRole("dialog", { name: "Edit Mask" });
  });

  it("of a dialog stays, and so does what it shows, when a question over it closes", async () => {
    const page = await openMasks({
      masks: several(1),
      before: ({ server }) =>
        server.on("GET", "/masks/trash", {
          json: {
            masks: [{ ...createMask("old"), deleted: "2026-11-19T10:00:00Z", until: "2026-12-19T10:00:00Z" }],
          },
        }),
    });
    await page.follow("Deleted masks");
    const dialog = await screen.findByRole("dialog", { name: "Deleted masks" });
    for (const close of [() => page.user.keyboard("{Escape}"), () => go(-1)]) {
      await page.press("Delete Mask old for good");
      await screen.findByRole("alertdialog");
      const returned = new Promise((resolve) => window.addEventListener("popstate", resolve, { once: true }));
      await close();
      await act(() => returned);
      await waitFor(() => expect(screen.queryByRole("alertdialog")).to.equal(null));
      await page.act(() => {});
      expect(screen.getByRole("dialog", { name: "Deleted masks" })).to.equal(dialog);
      expect(page.server.requestsTo("GET /masks/trash")).to.have.length(1);
      expect(address()).to.equal("#masks/deleted");
    }
  });

  it("of a form keeps what was typed when the commands over it close", async () => {
    const page = await openMasks({ masks: several(1) });
    await page.press("Create Mask");
    const dialog = await screen.findByRole("dialog", { name: "Create Mask" });
    await page.type(/^Description/, "Bookshop");
    await page.user.keyboard("{Control>}k{/Control}");
    await screen.findByRole("dialog", { name: "Go to" });
    const returned = new Promise((resolve) => window.addEventListener("popstate", resolve, { once: true }));
    await page.user.keyboard("{Escape}");
    await act(() => returned);
    await page.act(() => {});
    expect(screen.getByRole("dialog", { name: "Create Mask" })).to.equal(dialog);
    expect(screen.getByLabelText<HTMLInputElement>(/^Description/).value).to.equal("Bookshop");
    expect(address()).to.equal("#masks/new");
  });

  it("of the form for a new mask keeps what creating one did to the list", async () => {
    const page = await openMasks({ masks: [createMask("a", { active: false })] });
    await page.user.click(screen.getByRole("radio", { name: /^Disabled/ }));
    await page.press("Create Mask");
    await screen.findByRole("dialog", { name: "Create Mask" });
    expect(address()).to.equal("#masks/new?filter=disabled");
    await page.type(/^Description/, "Bookshop");
    await page.user.click(within(screen.getByRole("dialog")).getByRole("button", { name: /^Create Mask/ }));
    await waitFor(() => expect(address()).to.equal("#masks"));
    expect(cards()[0]).to.equal("Bookshop");
  });

  it("names the mask of the rules and the page of held mail", async () => {
    const page = await openMasks({ masks: several(2) });
    await page.user.click(screen.getByRole("button", { name: "Options for Mask m1" }));
    await page.user.click(await screen.findByRole("menuitem", { name: "Held mail" }));
    await screen.findByRole("heading", { name: "Held mail" });
    expect(address()).to.equal("#held?mask=m1");
    await go(-1);
    await screen.findByRole("heading", { name: "Your Email Masks" });
    closePages();
    followLink("/#rules/m2");
    await openPage({ masks: several(2) });
    await screen.findByRole("heading", { name: "Custom Rules" });
    await waitFor(() => screen.getByRole("button", { name: /Mask m2/ }));
    expect(address()).to.equal("#rules/m2");
  });

  it("of a new rule opens the form for the mask that it names", async () => {
    followLink("/#rules/m2/new");
    const page = await openPage({ masks: several(3) });
    const form = await screen.findByRole("dialog", { name: "Create New Rule" });
    expect(address()).to.equal("#rules/m2");
    await page.user.click(within(form).getByRole("button", { name: "Cancel" }));
    await waitFor(() => screen.getByRole("button", { name: /Mask m2/ }));
    expect(address()).to.equal("#rules/m2");
  });

  it("of a mask stays while who may write to it is changed", async () => {
    followLink("/#mask?id=m1");
    const page = await openPage({ masks: several(1) });
    await page.user.click(await screen.findByRole("button", { name: "Change" }));
    const editor = within(await screen.findByRole("dialog", { name: "Edit Mask" }));
    editor.getByRole("textbox", { name: /^Blocked senders/ });
    expect(editor.queryByRole("textbox", { name: /^Also forward to/ })).to.equal(null);
    expect(document.activeElement?.textContent).to.match(/^Who may write/);
    await page.user.click(editor.getByRole("button", { name: "Cancel" }));
    await screen.findByRole("heading", { name: "Mask m1", level: 1 });
    expect(address()).to.equal("#mask?id=m1");
  });

  it("of a mask can be copied from its menu", async () => {
    const page = await openMasks({ masks: several(1) });
    await page.user.click(screen.getByRole("button", { name: "Options for Mask m1" }));
    await page.user.click(await screen.findByRole("menuitem", { name: "Copy link" }));
    await screen.findByText("Link copied");
    expect(page.page.clipboard()).to.match(/\/#masks\/m1$/);
  });
});
