import "../../../support/dom.ts";
import "../../../../web/features/masks/list/MaskTable.tsx";
import { screen, within } from "@testing-library/react";
import { expect } from "chai";
import { createMask } from "../../../fakes/productServer.ts";
import { useDom } from "../../../support/jsdom.ts";
import { closePages, type OpenPage, openMasks } from "../../support/openPage.tsx";

const openLabels = async (...labels: readonly (readonly string[])[]): Promise<OpenPage> => {
  const page = await openMasks({
    masks: labels.map((own, n) => createMask(`mask${n}`, { description: `Mask ${n}`, labels: own })),
  });
  await page.press("Labels");
  await screen.findByRole("dialog", { name: "Labels" });
  await page.act(() => {});
  return page;
};

const rows = (): readonly string[] =>
  within(screen.getByRole("list", { name: "Labels" }))
    .getAllByRole("checkbox")
    .map((box) => box.closest("li")?.querySelector("label")?.textContent ?? "");

describe("The labels of the masks", () => {
  useDom();
  afterEach(closePages);

  it("show the masks that have all that are chosen", async () => {
    const page = await openLabels(["old shops", "work"], ["work"], ["other"]);
    expect(rows()).to.deep.equal(["old shops", "other", "work"]);
    await page.user.click(screen.getByRole("checkbox", { name: /^work/ }));
    await page.user.click(screen.getByRole("checkbox", { name: /^old shops/ }));
    await page.press("Show masks");
    await page.advance(400);
    expect(screen.getByRole<HTMLInputElement>("searchbox", { name: "Search masks" }).value).to.equal(
      'label:work label:"old shops"',
    );
    expect(page.app.masks.page$.value.found.map(({ description }) => description)).to.deep.equal(["Mask 0"]);
  });

  it("are renamed and colored on the cards and in the rows", async () => {
    const page = await openLabels(["shops"]);
    await page.press("Edit label shops");
    await page.type("Name", "Stores");
    await page.user.click(screen.getByRole("button", { name: /Color/ }));
    await page.user.click(screen.getByRole("option", { name: "Red" }));
    await page.press("Save");
    expect(rows()).to.deep.equal(["Stores"]);
    await page.press("Done");
    const label = await screen.findByRole("button", { name: "Stores" });
    expect(label.dataset["tone"]).to.equal("red");
    await page.act(() => page.signedIn().masks.changeSettings({ layout: "rows" }));
    const inRow = within(await screen.findByRole("table", { name: "Email masks" })).getByText("Stores");
    expect(inRow.parentElement?.dataset["tone"]).to.equal("red");
  });

  it("are merged after a second press", async () => {
    const page = await openLabels(["shops"], ["stores"]);
    await page.press("Edit label shops");
    await page.type("Name", "stores");
    await page.press("Save");
    screen.getByText("There is a label stores already. Merge them, or choose another name.");
    await page.press("Merge with stores");
    expect(rows()).to.deep.equal(["stores"]);
    expect(page.product.masks().map(({ labels }) => labels)).to.deep.equal([["stores"], ["stores"]]);
  });

  it("are made, found among many and deleted after a question", async () => {
    const page = await openLabels(Array.from({ length: 12 }, (_, n) => `label ${n}`));
    await page.type("New label", "Later");
    await page.press("Add label");
    expect(rows()).to.have.length(13);
    await page.type("Find a label", "late");
    expect(rows()).to.deep.equal(["Later"]);
    await page.press("Delete label Later");
    const question = await screen.findByRole("alertdialog", { name: "Delete label Later?" });
    await page.user.click(within(question).getByRole("button", { name: /^Delete/ }));
    await page.act(() => {});
    screen.getByText("Label Later deleted");
    await screen.findByText("No label found");
  });

  it("keep the focus after one was deleted, and ask no more about it when it is made again", async () => {
    const page = await openLabels(["Later", "Shops"]);
    await page.press("Delete label Later");
    const question = await screen.findByRole("alertdialog", { name: "Delete label Later?" });
    await page.user.click(within(question).getByRole("button", { name: /^Delete/ }));
    await page.act(() => {});
    expect(rows()).to.deep.equal(["Shops"]);
    expect(document.activeElement?.contains(screen.getByRole("list", { name: "Labels" }))).to.equal(true);
    expect(document.activeElement).not.to.equal(document.body);
    await page.type("New label", "Later");
    await page.press("Add label");
    expect(rows()).to.have.length(2);
    expect(screen.queryByRole("alertdialog")).to.equal(null);
  });

  it("can be loaded again after a failure", async () => {
    const page = await openMasks({ masks: [createMask("one")] });
    page.server.on("GET", "/labels", { status: 400, json: { message: "Not now" } });
    await page.press("Labels");
    await screen.findByRole("dialog", { name: "Labels" });
    await page.act(() => {});
    screen.getByText("Not now");
    page.server.on("GET", "/labels", { json: { labels: [] } });
    await page.press("Try Again");
    screen.getByText("No labels yet");
  });
});
