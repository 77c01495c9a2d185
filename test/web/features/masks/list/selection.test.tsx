import "../../../../support/dom.ts";
import "../../../../../web/features/masks/MaskDialogs.tsx";
import "../../../../../web/features/masks/list/MaskTable.tsx";
import { screen, within } from "@testing-library/react";
import { expect } from "chai";
import { createMask } from "../../../../fakes/productServer.ts";
import { useDom } from "../../../../support/jsdom.ts";
import { closePages, type OpenPage, openMasks } from "../../../support/openPage.tsx";

const many = (count: number) =>
  Array.from({ length: count }, (_, at) =>
    createMask(`m${at}`, {
      description: `Shop ${at}`,
      created: new Date(Date.UTC(2026, 9, 30) - at * 60_000).toISOString(),
      settings: { rules: at === 0 ? [{ id: "sale" }] : [] },
    }),
  );

const selecting = async (count: number): Promise<OpenPage> => {
  const page = await openMasks({ masks: many(count) });
  await page.press("Select");
  await screen.findByRole("region", { name: "Select masks" });
  return page;
};

const box = (name: string): HTMLElement => screen.getByRole("checkbox", { name: `Select ${name}` });

const selected = (): string => screen.getByRole("heading", { level: 2 }).textContent ?? "";

const off = (page: OpenPage): string[] =>
  page.product
    .masks()
    .filter(({ active }) => active === false)
    .map(({ id }) => id)
    .toSorted();

describe("Selecting several masks", () => {
  useDom();
  afterEach(closePages);

  it("takes single ones, and with Shift all between two, also far below", async () => {
    const page = await selecting(50);
    expect(selected()).to.equal("0 of 50 selected");
    await page.user.click(box("Shop 3"));
    await page.user.keyboard("{Shift>}");
    await page.user.click(box("Shop 6"));
    await page.user.keyboard("{/Shift}");
    expect(selected()).to.equal("4 of 50 selected");
    await page.user.click(box("Shop 4"));
    expect(selected()).to.equal("3 of 50 selected");
    await page.user.click(box("Shop 19"));
    await page.user.keyboard("{Shift>}");
    await page.user.click(box("Shop 21"));
    await page.user.keyboard("{/Shift}");
    expect(selected()).to.equal("6 of 50 selected");
    await page.press("Select all 50");
    expect(selected()).to.equal("50 of 50 selected");
  });

  it("works with the keyboard alone: arrows, Space, Shift and Ctrl+A; Escape ends it", async () => {
    const page = await selecting(8);
    box("Shop 0").focus();
    await page.user.keyboard(" {ArrowDown}{Shift>}{ArrowDown}{ArrowDown}{/Shift}");
    expect(selected()).to.equal("4 of 8 selected");
    await page.user.keyboard("{Control>}a{/Control}");
    expect(selected()).to.equal("8 of 8 selected");
    await page.user.keyboard("{Escape}");
    await screen.findByRole("list", { name: "Email masks" });
    expect(document.activeElement?.textContent).to.equal("Your Email Masks");
  });

  it("shows what can be done as soon as a row is selected, and hides it after Escape", async () => {
    const page = await openMasks({ masks: many(20) });
    await page.act(() => page.signedIn().masks.changeSettings({ layout: "rows" }));
    expect(screen.queryByRole("region", { name: "Select masks" })).to.equal(null);
    const name = (text: string) => screen.getByRole("link", { name: text });
    await page.act(() => name("Shop 2").focus());
    await page.user.keyboard("jj ");
    expect(selected()).to.equal("1 of 20 selected");
    expect(document.activeElement).to.equal(name("Shop 4"));
    await page.user.keyboard("{Shift>}{ArrowUp}{ArrowUp}{/Shift}k");
    expect(selected()).to.equal("3 of 20 selected");
    expect(document.activeElement).to.equal(name("Shop 1"));
    screen.getByRole("button", { name: "Switch off" });
    await page.user.keyboard("{Escape}");
    expect(screen.queryByRole("region", { name: "Select masks" })).to.equal(null);
    expect(document.activeElement).to.equal(name("Shop 1"));
    await page.user.keyboard("c");
    expect(page.page.clipboard()).to.equal("m1@masks.example");
    await page.user.keyboard("e");
    await screen.findByRole("dialog", { name: "Edit Mask" });
  });

  it("switches 600 masks in parts with progress, and undoes it", async () => {
    const page = await selecting(600);
    page.product.setMasks(
      page.product.masks().map((mask, at) => (at < 2 ? { ...mask, active: false } : mask)),
    );
    await page.press("Select all 600");
    await page.press("Switch off");
    await screen.findByText("600 masks switched off");
    expect(page.server.requestsTo("POST /masks/bulk")).to.have.length(3);
    expect(off(page)).to.have.length(600);
    await page.press("Undo");
    await screen.findByText(/masks as before/);
    expect(off(page)).to.have.length(0);
  });

  it("undoes a deletion, and a switch only where it has changed something", async () => {
    const page = await openMasks({
      masks: many(3).map((mask) => (mask.id === "m1" ? { ...mask, active: false } : mask)),
    });
    await page.press("Select");
    await screen.findByRole("region", { name: "Select masks" });
    await page.press("Select all 3");
    await page.press("Switch off");
    await screen.findByText("3 masks switched off");
    await page.press("Undo");
    await screen.findByText("2 masks as before");
    expect(off(page)).to.deep.equal(["m1"]);
    await page.press("Delete…");
    await page.user.click(
      within(await screen.findByRole("alertdialog", { name: "Delete 3 masks?" })).getByRole("button", {
        name: "Delete",
      }),
    );
    await screen.findByText("3 masks deleted");
    expect(page.product.masks()).to.deep.equal([]);
    await page.press("Undo");
    await screen.findByText("3 masks as before");
    expect(page.product.masks()).to.have.length(3);
  });

  it("labels, moves and gives rules to the selected masks", async () => {
    const page = await selecting(3);
    await page.user.click(box("Shop 1"));
    await page.user.click(box("Shop 2"));
    await page.press("Label…");
    await page.type("Labels to add", "shops, work");
    await page.press("Label");
    await screen.findByText("2 masks labeled");
    await page.press("Move to…");
    await page.type("Forward to", "new@example.net");
    await page.press("Move");
    await screen.findByText("2 masks moved to new@example.net");
    await page.press("More for the selected masks");
    await page.user.click(await screen.findByRole("menuitem", { name: "Apply rules…" }));
    await page.press("Apply");
    await screen.findByText("2 masks given the rules");
    const [first, ...others] = page.product.masks().toSorted((a, b) => a.id.localeCompare(b.id));
    expect(first?.labels ?? []).to.deep.equal([]);
    for (const mask of others) {
      expect(mask.labels).to.deep.equal(["shops", "work"]);
      expect(mask.forwardTo).to.equal("new@example.net");
      expect(mask.settings?.rules).to.deep.equal([{ id: "sale" }]);
    }
  });

  it("lists the masks that could not be changed, with the reason", async () => {
    const page = await selecting(2);
    page.server.on("POST", "/masks/bulk", {
      json: {
        results: [
          { id: "m0", status: 200 },
          { id: "m1", status: 403, message: "The Free plan has 1 active masks." },
        ],
      },
    });
    await page.press("Select all 2");
    await page.press("Switch on");
    await screen.findByText("1 of 2 masks could not be changed");
    screen.getByText("Shop 1: The Free plan has 1 active masks.");
  });

  it("stops where a part is refused as a whole, and says which masks are as they were", async () => {
    const page = await selecting(300);
    page.server.on("POST", "/masks/bulk", {
      status: 400,
      json: { message: "This does not work" },
    });
    await page.press("Select all 300");
    await page.press("More for the selected masks");
    await page.user.click(await screen.findByRole("menuitem", { name: "Pin" }));
    await screen.findByText("300 of 300 masks could not be changed");
    screen.getByText("Shop 1: This does not work");
    screen.getByText("and 280 more");
    expect(page.server.requestsTo("POST /masks/bulk")).to.have.length(1);
  });
});
