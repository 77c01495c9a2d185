import "../../../support/dom.ts";
import { screen, within } from "@testing-library/react";
import { expect } from "chai";
import type { Mask } from "../../../../core/masks/mask.ts";
import type { AppOnFakesOptions } from "../../../fakes/appOnFakes.ts";
import { createMask } from "../../../fakes/productServer.ts";
import { useDom } from "../../../support/jsdom.ts";
import { closePages, type OpenPage, openMasks } from "../../support/openPage.tsx";

const shop = createMask("quietharbour", { description: "Bookshop" });
const work = createMask("work", { description: "Work", forwardTo: "work@example.net" });

const openDialog = async (
  masks: readonly Mask[],
  before: AppOnFakesOptions["before"] = () => {},
): Promise<OpenPage> => {
  const page = await openMasks({ masks, before });
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

  it("says where more addresses come from when the mask has all, and leads there", async () => {
    await openDialog([shop]);
    screen.getByText(/^The mask forwards to all of your confirmed addresses\. A new one appears here/);
    expect(screen.getByRole("link", { name: "Manage addresses" }).getAttribute("href")).to.equal(
      "#settings/mail",
    );
  });

  it("says that no address is confirmed yet", async () => {
    await openDialog([shop], ({ server }) =>
      server.on("GET", "/destinations", { json: { destinations: [] } }),
    );
    screen.getByText(/^You have no other confirmed address yet\. A new one appears here/);
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
