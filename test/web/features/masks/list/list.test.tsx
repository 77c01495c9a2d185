import "../../../../support/dom.ts";
import { fireEvent, screen, within } from "@testing-library/react";
import { expect } from "chai";
import { createMask } from "../../../../fakes/productServer.ts";
import { useDom } from "../../../../support/jsdom.ts";
import { closePages, openMasks } from "../../../support/openPage.tsx";

const several = (count: number) =>
  Array.from({ length: count }, (_, at) =>
    createMask(`m${at + 1}`, { created: new Date(Date.UTC(2026, 9, 30 - at)).toISOString() }),
  );

const cards = (): string[] =>
  screen.queryAllByRole("heading", { level: 2 }).map(({ textContent }) => textContent ?? "");

const chips = (): string[] =>
  screen.getAllByRole("radio").map((chip) => chip.closest("label")?.textContent ?? "");

describe("The list of masks", () => {
  useDom();
  afterEach(closePages);

  it("has its title, Create Mask, a search box and three filter chips with counts (MA1)", async () => {
    await openMasks({ masks: [createMask("a"), createMask("b", { active: false }), createMask("c")] });
    screen.getByRole("heading", { level: 1, name: "Your Email Masks" });
    screen.getByRole("button", { name: "Create Mask" });
    screen.getByRole("searchbox", { name: "Search masks" });
    expect(chips()).to.deep.equal(["All Masks 3", "Active 2", "Disabled 1"]);
  });

  it("searches 300 ms after the last keystroke (MA1)", async () => {
    const page = await openMasks({ masks: [createMask("a"), createMask("b", { description: "Bookshop" })] });
    await page.user.type(screen.getByRole("searchbox"), "books");
    await page.advance(299);
    expect(cards()).to.have.length(2);
    await page.advance(1);
    expect(cards()).to.deep.equal(["Bookshop"]);
    expect(chips(), "the chips count all there are").to.deep.equal(["All Masks 2", "Active 2", "Disabled 0"]);
  });

  it("shows the masks of the selected chip (MA1)", async () => {
    const page = await openMasks({ masks: [createMask("a"), createMask("b", { active: false })] });
    await page.user.click(screen.getByRole("radio", { name: /^Disabled/ }));
    await page.act(() => {});
    expect(cards()).to.deep.equal(["Mask b"]);
  });

  it("shows five masks per page, and pagination only above five (MA2)", async () => {
    const five = await openMasks({ masks: several(5) });
    expect(cards()).to.have.length(5);
    expect(screen.queryByRole("navigation", { name: "Pages of masks" })).to.equal(null);
    closePages();
    const seven = await openMasks({ masks: several(7) });
    expect(cards()).to.deep.equal(["Mask m1", "Mask m2", "Mask m3", "Mask m4", "Mask m5"]);
    await seven.press("Page 2");
    expect(cards()).to.deep.equal(["Mask m6", "Mask m7"]);
    expect(five.product.masks()).to.have.length(5);
  });

  it("explains what to do when there are no masks (MA3)", async () => {
    const page = await openMasks();
    screen.getByText("You don't have any email masks yet.");
    expect(screen.queryByRole("searchbox")).to.equal(null);
    await page.press("Create your first mask");
    await screen.findByRole("dialog", { name: "Create Mask" });
  });

  it("says when no mask matches, and clears the filters with one press (MA3)", async () => {
    const page = await openMasks({ masks: [createMask("a")] });
    await page.user.type(screen.getByRole("searchbox"), "zebra");
    await page.advance(300);
    screen.getByText("No masks match your filters");
    await page.press("Show all masks");
    await page.advance(300);
    expect(cards()).to.deep.equal(["Mask a"]);
    expect(screen.getByRole<HTMLInputElement>("searchbox").value).to.equal("");
  });

  it("offers to create a mask of the name that no mask has, but not of a field", async () => {
    const page = await openMasks({ masks: [createMask("a")] });
    const search = screen.getByRole("searchbox");
    await page.user.type(search, "label:zebra");
    await page.advance(300);
    expect(screen.queryByRole("button", { name: /^Create mask “/ })).to.equal(null);
    await page.user.clear(search);
    await page.user.type(search, "Zebra");
    await page.advance(300);
    await page.press("Create mask “Zebra”");
    const form = within(await screen.findByRole("dialog", { name: "Create Mask" }));
    expect(form.getByRole<HTMLInputElement>("textbox", { name: /^Description/ }).value).to.equal("Zebra");
  });

  it("offers a name that is too long for a mask as far as it fits", async () => {
    const page = await openMasks({ masks: [createMask("a")] });
    fireEvent.change(screen.getByRole("searchbox"), { target: { value: "z".repeat(201) } });
    await page.advance(300);
    await page.press(`Create mask “${"z".repeat(200)}”`);
    const form = within(await screen.findByRole("dialog", { name: "Create Mask" }));
    expect(form.getByRole<HTMLInputElement>("textbox", { name: /^Description/ }).value).to.have.length(200);
  });

  it("has a floating button with the same name below 768 px instead of the one in the header (MA1, SH6)", async () => {
    const page = await openMasks({ masks: [createMask("a")] });
    await page.act(() => page.page.narrow$.set(true));
    const add = screen.getByRole("button", { name: "Create Mask" });
    expect(add.className).to.include("float");
    await page.user.click(add);
    await screen.findByRole("dialog", { name: "Create Mask" });
  });

  it("shows placeholder cards and a status while it is loading, and no empty state", async () => {
    await openMasks({ before: ({ server }) => server.on("GET", "/masks", "silent") });
    screen.getByText("Loading masks");
    expect(screen.queryByText("You don't have any email masks yet.")).to.equal(null);
  });
});

describe("A list of masks that could not be loaded", () => {
  useDom();
  afterEach(closePages);

  it("shows cached masks with a warning that suits the width of the screen, and refreshes (MA9)", async () => {
    const page = await openMasks({ masks: [createMask("a")] });
    page.server.cutOff(true);
    await page.act(() => void page.app.masks.refresh()());
    screen.getByText("Using cached mask data. Refresh when online.");
    expect(cards()).to.deep.equal(["Mask a"]);
    await page.act(() => page.page.narrow$.set(true));
    screen.getByText("Using cached mask data. Pull to refresh when online.");
    page.server.cutOff(false);
    await page.press("Refresh");
    expect(screen.queryByText(/Using cached mask data/)).to.equal(null);
  });

  it('shows "Failed to get email masks" without a cache, and retries (MA9)', async () => {
    const page = await openMasks({
      masks: [createMask("a")],
      before: ({ server }) => server.cutOff(true),
    });
    within(screen.getByRole("alert")).getByText("Failed to get email masks");
    expect(screen.queryByText("You don't have any email masks yet.")).to.equal(null);
    page.server.cutOff(false);
    await page.press("Try Again");
    expect(cards()).to.deep.equal(["Mask a"]);
  });
});
