import "../../../support/dom.ts";
import { screen, within } from "@testing-library/react";
import { expect } from "chai";
import type { Mask } from "../../../../core/masks/mask.ts";
import { createMask } from "../../../fakes/productServer.ts";
import { useDom } from "../../../support/jsdom.ts";
import { closePages, type OpenPage, openMasks } from "../../support/openPage.tsx";

const shop = createMask("quietharbour", { description: "Bookshop" });
const work = createMask("work", { description: "Work", forwardTo: "work@example.net" });

const openDialog = async (masks: readonly Mask[]): Promise<OpenPage> => {
  const page = await openMasks({ masks });
  await page.press("Options for Bookshop");
  await page.user.click(await screen.findByRole("menuitem", { name: "Add destination" }));
  await screen.findByRole("dialog", { name: "Add a destination to Bookshop" });
  await page.act(() => {});
  return page;
};

describe("Adding a destination from the menu of a mask", () => {
  useDom();
  afterEach(closePages);

  it("takes one press on an address of the user that the mask does not have yet", async () => {
    const page = await openDialog([shop, work]);
    const rows = within(screen.getByRole("list", { name: "Your addresses" })).getAllByRole("listitem");
    expect(rows.map(({ textContent }) => textContent)).to.deep.equal(["work@example.netAdd"]);
    await page.press("Add work@example.net");
    expect(page.server.requestsTo("PUT /masks/quietharbour").map(({ body }) => body)).to.have.nested.property(
      "[0].destinations[1]",
      "work@example.net",
    );
    screen.getByText("Mask updated successfully");
    expect(screen.queryByRole("dialog")).to.equal(null);
  });

  it("takes a new address in the same place, and says what happens to it", async () => {
    const page = await openDialog([shop]);
    expect(screen.queryByRole("list", { name: "Your addresses" })).to.equal(null);
    expect(document.activeElement).to.equal(screen.getByLabelText("Another address"));
    screen.getByText("The address gets one email with a link to confirm it, then the mail of the mask.");
    await page.type("Another address", "new@home.example");
    await page.user.keyboard("{Enter}");
    await page.act(() => {});
    expect(page.server.requestsTo("PUT /masks/quietharbour").map(({ body }) => body)).to.have.nested.property(
      "[0].destinations[1]",
      "new@home.example",
    );
    screen.getByText("Mask updated successfully");
    expect(screen.queryByRole("dialog")).to.equal(null);
  });

  for (const [typed, sentence] of [
    [shop.forwardTo.toUpperCase(), "The mask forwards there already."],
    ["nobody", "Please enter a valid email address"],
  ] as const)
    it(`says "${sentence}" at the field for ${typed}, and sends nothing`, async () => {
      const page = await openDialog([shop]);
      await page.type("Another address", typed);
      await page.press("Add address");
      screen.getByText(sentence);
      expect(screen.getByLabelText("Another address").getAttribute("aria-invalid")).to.equal("true");
      expect(page.server.requestsTo("PUT /masks/quietharbour")).to.have.length(0);
    });

  it("leads to the addresses of the account", async () => {
    await openDialog([shop]);
    expect(screen.getByRole("link", { name: "Manage addresses" }).getAttribute("href")).to.equal(
      "#settings/mail",
    );
  });

  it("keeps the focus on the button that was pressed while it is being added", async () => {
    const page = await openDialog([shop, work]);
    page.server.on("PUT", "/masks/:id", "silent");
    await page.press("Add work@example.net");
    const button = screen.getByRole("button", { name: "Add work@example.net", busy: true });
    expect(document.activeElement).to.equal(button);
  });

  it("keeps the list with the reason when the server refuses", async () => {
    const page = await openDialog([shop, work]);
    page.server.on("PUT", "/masks/:id", { status: 400 });
    await page.press("Add work@example.net");
    within(screen.getByRole("dialog")).getByText("Failed to update email mask");
  });
});
