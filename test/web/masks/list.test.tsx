import "../../support/dom.ts";
import { screen, within } from "@testing-library/react";
import { expect } from "chai";
import { createMask } from "../../fakes/productServer.ts";
import { useDom } from "../../support/jsdom.ts";
import { closePages, openMasks } from "../support/openPage.tsx";

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

  it("has its title, Create Mask, a search and three chips with their counts (MA1)", async () => {
    await openMasks({ masks: [createMask("a"), createMask("b", { active: false }), createMask("c")] });
    screen.getByRole("heading", { level: 1, name: "Your Email Masks" });
    screen.getByRole("button", { name: "Create Mask" });
    screen.getByRole("searchbox", { name: "Search masks" });
    expect(chips()).to.deep.equal(["All Masks 3", "Active 2", "Disabled 1"]);
  });

  it("searches 300 ms after the last letter (MA1)", async () => {
    const page = await openMasks({ masks: [createMask("a"), createMask("b", { description: "Bookshop" })] });
    await page.user.type(screen.getByRole("searchbox"), "books");
    await page.advance(299);
    expect(cards()).to.have.length(2);
    await page.advance(1);
    expect(cards()).to.deep.equal(["Bookshop"]);
    expect(chips(), "the chips count all there are").to.deep.equal(["All Masks 2", "Active 2", "Disabled 0"]);
  });

  it("shows the masks of the chosen chip (MA1)", async () => {
    const page = await openMasks({ masks: [createMask("a"), createMask("b", { active: false })] });
    await page.user.click(screen.getByRole("radio", { name: /^Disabled/ }));
    await page.act(() => {});
    expect(cards()).to.deep.equal(["Mask b"]);
  });

  it("shows five a page, and pages only above five (MA2)", async () => {
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

  it("says what to do when there are none (MA3)", async () => {
    const page = await openMasks();
    screen.getByText("You don't have any email masks yet.");
    expect(screen.queryByRole("searchbox")).to.equal(null);
    await page.press("Create your first mask");
    await screen.findByRole("dialog", { name: "Create Mask" });
  });

  it("says when none matches, and brings them back with one press (MA3)", async () => {
    const page = await openMasks({ masks: [createMask("a")] });
    await page.user.type(screen.getByRole("searchbox"), "zebra");
    await page.advance(300);
    screen.getByText("No masks match your filters");
    await page.press("Show all masks");
    await page.advance(300);
    expect(cards()).to.deep.equal(["Mask a"]);
    expect(screen.getByRole<HTMLInputElement>("searchbox").value).to.equal("");
  });

  it("has a floating add button of that name below 768 px instead of the one in the head (MA1, SH6)", async () => {
    const page = await openMasks({ masks: [createMask("a")] });
    await page.act(() => page.page.narrow$.set(true));
    const add = screen.getByRole("button", { name: "Create Mask" });
    expect(add.className).to.include("float");
    await page.user.click(add);
    await screen.findByRole("dialog", { name: "Create Mask" });
  });

  it("has the shape of cards and says so while it is loading, without an empty state", async () => {
    await openMasks({ before: ({ server }) => server.on("GET", "/masks", "silent") });
    screen.getByText("Loading masks");
    expect(screen.queryByText("You don't have any email masks yet.")).to.equal(null);
  });
});

describe("A list that could not be read", () => {
  useDom();
  afterEach(closePages);

  it("shows the masks of the last time with the warning of its width, and asks again (MA9)", async () => {
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

  it('says "Failed to get email masks" without a cache, and tries again (MA9)', async () => {
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
