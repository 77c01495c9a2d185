import "../../../support/dom.ts";
// Lazily loaded by the app; imported here so that loading them takes no time in the test.
import "../../../../web/features/masks/MaskDialogs.tsx";
import "../../../../web/ui/overlay/MenuPopup.tsx";
import { screen, within } from "@testing-library/react";
import { expect } from "chai";
import { createMask } from "../../../fakes/productServer.ts";
import { useDom } from "../../../support/jsdom.ts";
import { beginning, closePages, type OpenPage, openMasks } from "../../support/openPage.tsx";

const dialog = async () => within(await screen.findByRole("dialog", { name: "Deleted masks" }));

/** Deletes the mask "Mask a" by its menu. */
const removeMask = async (page: OpenPage): Promise<void> => {
  await page.user.click(screen.getByRole("button", { name: "Options for Mask a" }));
  await page.user.click(await screen.findByRole("menuitem", { name: "Delete mask" }));
  const question = within(await screen.findByRole("alertdialog", { name: "Delete Mask a?" }));
  question.getByText(/You can restore it with its rules and statistics for 30 days/);
  await page.user.click(question.getByRole("button", { name: beginning("Delete mask") }));
  await page.act(() => {});
};

describe("The deleted masks", () => {
  useDom();
  afterEach(closePages);

  const openTrash = async (masks = [createMask("a"), createMask("b")]) => {
    const page = await openMasks({ masks });
    if (masks.length > 0) await removeMask(page);
    await page.follow("Deleted masks");
    return { ...page, trash: await dialog() };
  };

  it("are listed with rules and figures, and a mask is restored with one press", async () => {
    const page = await openTrash();
    page.trash.getByRole("heading", { name: "Mask a" });
    page.trash.getByText(/0 rules, 0 mails. Deleted .*, gone for good on Dec 19, 2026/);
    await page.press("Restore Mask a");
    screen.getByText("Mask restored");
    page.trash.getByText("No deleted masks");
    await page.user.keyboard("{Escape}");
    await page.act(() => {});
    expect(page.app.masks.view$.value.all.map(({ id }) => id).toSorted()).to.deep.equal(["a", "b"]);
  });

  it("are deleted for good after a question", async () => {
    const page = await openTrash();
    await page.press("Delete Mask a for good");
    const question = within(await screen.findByRole("alertdialog", { name: "Delete Mask a for good?" }));
    expect(page.server.requestsTo("DELETE /masks/trash/a")).to.have.length(0);
    await page.user.click(question.getByRole("button", { name: beginning("Delete for good") }));
    await page.act(() => {});
    expect(page.server.requestsTo("DELETE /masks/trash/a")).to.have.length(1);
    page.trash.getByText("No deleted masks");
  });

  it("are none at first, and say so", async () => {
    const page = await openTrash([]);
    page.trash.getByText("No deleted masks");
  });

  it("that cannot be loaded or restored say why, once, with another try", async () => {
    const page = await openMasks({
      masks: [createMask("a")],
      before: ({ server }) => server.on("GET", "/masks/trash", { status: 500 }),
    });
    await page.follow("Deleted masks");
    const trash = await dialog();
    trash.getByText(/Server error/);
    page.server.on("GET", "/masks/trash", {
      json: {
        masks: [
          { ...createMask("old"), deleted: "2026-11-19T10:00:00.000Z", until: "2026-12-19T10:00:00.000Z" },
        ],
      },
    });
    await page.press("Try Again");
    page.server.on("POST", "/masks/:id/restore", {
      status: 403,
      json: { message: "The Free plan has 2 masks." },
    });
    await page.press("Restore Mask old");
    expect(screen.getAllByText("The Free plan has 2 masks.")).to.have.length(1);
    trash.getByRole("heading", { name: "Mask old" });
  });
});
