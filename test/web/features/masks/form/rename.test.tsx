import "../../../../support/dom.ts";
import "../../../../../web/features/masks/form/DescriptionField.tsx";
import "../../../../../web/features/masks/list/MaskTable.tsx";
import { screen, within } from "@testing-library/react";
import { expect } from "chai";
import { createMask } from "../../../../fakes/productServer.ts";
import { useDom } from "../../../../support/jsdom.ts";
import { closePages, type OpenPage, openMasks } from "../../../support/openPage.tsx";

const shop = createMask("quietharbour", { description: "Bookshop" });

const field = (): Promise<HTMLInputElement> =>
  screen.findByRole<HTMLInputElement>("textbox", { name: "Description of Bookshop" });
const fieldNow = () => screen.queryByRole("textbox", { name: /^Description of/ });
const title = (name: string) => screen.getByRole("link", { name });
const sent = (page: OpenPage) => page.server.requestsTo("PUT /masks/quietharbour").map(({ body }) => body);

const keys = async (page: OpenPage, text: string): Promise<void> => {
  await page.user.keyboard(text);
  await page.act(() => {});
};

/** Opens the field by F2 on the title, with the text selected. */
const open = async (page: OpenPage): Promise<HTMLInputElement> => {
  await page.act(() => title("Bookshop").focus());
  await keys(page, "{F2}");
  return field();
};

describe("The description of a mask, edited in place", () => {
  useDom();
  afterEach(closePages);

  it("is changed at once by Enter, and the focus returns to the title", async () => {
    const page = await openMasks({ masks: [shop] });
    page.server.on("PUT", "/masks/:id", { json: { ...shop, description: "Books" }, afterMs: 800 });
    expect((await open(page)).value).to.equal("Bookshop");
    await keys(page, "  Books {Enter}");
    expect(document.activeElement).to.equal(title("Books"));
    expect(sent(page)).to.deep.equal([{ description: "Books" }]);
    expect(screen.queryByText("Description changed")).to.equal(null);
    await page.advance(800);
    screen.getByText("Description changed");
  });

  it("is as before after Undo", async () => {
    const page = await openMasks({ masks: [shop] });
    await open(page);
    await keys(page, "Books{Enter}");
    await page.press("Undo");
    title("Bookshop");
    expect(page.product.masks().map(({ description }) => description)).to.deep.equal(["Bookshop"]);
  });

  it("stays as it is after Escape, which sends nothing", async () => {
    const page = await openMasks({ masks: [shop] });
    await open(page);
    await keys(page, "Books{Escape}");
    expect(document.activeElement).to.equal(title("Bookshop"));
    expect(sent(page)).to.deep.equal([]);
  });

  it("is saved when the field is left, without taking the focus back", async () => {
    const page = await openMasks({ masks: [shop] });
    await open(page);
    await keys(page, "Books");
    await page.act(() => screen.getByRole("searchbox").focus());
    title("Books");
    expect(document.activeElement).to.equal(screen.getByRole("searchbox"));
    expect(sent(page)).to.deep.equal([{ description: "Books" }]);
  });

  it("opens by the pencil and by the menu, and sends nothing that is unchanged", async () => {
    const page = await openMasks({ masks: [shop] });
    await page.press("Rename Bookshop");
    await field();
    await keys(page, "{Enter}");
    expect(fieldNow()).to.equal(null);
    await page.user.click(screen.getByRole("button", { name: "Options for Bookshop" }));
    await page.user.click(await screen.findByRole("menuitem", { name: "Rename" }));
    expect(document.activeElement).to.equal(await field());
    await keys(page, "{Enter}");
    expect(sent(page)).to.deep.equal([]);
  });

  it("cannot be empty: Enter says so, and leaving the field changes nothing", async () => {
    const page = await openMasks({ masks: [shop] });
    await open(page);
    await keys(page, "{Delete}{Enter}");
    screen.getByText("Description is required");
    await page.act(() => screen.getByRole("searchbox").focus());
    title("Bookshop");
    expect(sent(page)).to.deep.equal([]);
  });

  it("returns to what it was when the server cannot be reached, and can be tried again as typed", async () => {
    const page = await openMasks({ masks: [shop] });
    page.server.on("PUT", "/masks/:id", { status: 400 });
    await open(page);
    await keys(page, "Books{Enter}");
    title("Bookshop");
    page.server.on("PUT", "/masks/:id", { json: { ...shop, description: "Books" } });
    await page.press("Try again");
    title("Books");
    expect(sent(page)).to.deep.equal([{ description: "Books" }, { description: "Books" }]);
  });

  it("is saved while the switch of the mask waits for its answer", async () => {
    const page = await openMasks({ masks: [shop] });
    page.server.on("PUT", "/masks/:id", { json: { ...shop, active: false }, afterMs: 800 });
    await page.user.click(screen.getByRole("switch", { name: "Bookshop forwards mail" }));
    await open(page);
    await keys(page, "Books{Enter}");
    expect(sent(page)).to.deep.equal([{ active: false }, { description: "Books" }]);
  });

  it("is edited in a row as in a card", async () => {
    const page = await openMasks({ masks: [shop] });
    await page.act(() => page.signedIn().masks.changeSettings({ layout: "rows" }));
    const row = within(await screen.findByRole("rowheader"));
    await page.user.click(row.getByRole("button", { name: "Rename Bookshop" }));
    await field();
    await keys(page, "Books{Enter}");
    expect(screen.getByRole("rowheader").textContent).to.equal("Books");
    expect(page.product.masks().map(({ description }) => description)).to.deep.equal(["Books"]);
  });
});
