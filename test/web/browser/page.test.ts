import { expect } from "chai";
import { useProduct } from "../../e2e/support/product.ts";
import { signUp, type Visitor } from "../../e2e/support/visitor.ts";
import { tabLink } from "../../support/tabLink.ts";

describe("The page in a real browser", () => {
  const { server, visit } = useProduct();
  let visitor: Visitor;
  before(async () => {
    visitor = await visit({ theme: "light", width: 1280, keepsNothing: true });
    await signUp(visitor, server, "train@example.org");
    await visitor.page.getByText("You don't have any email masks yet.").waitFor();
  });

  it("shows that a tab could not be loaded, and loads it when the network returns (SH6)", async () => {
    const { page, context } = visitor;
    await context.setOffline(true);
    await tabLink(page, "Insights").click();
    await page.getByText("This part of the page could not be loaded.").waitFor();
    await page.getByRole("button", { name: "Try Again" }).waitFor();
    await context.setOffline(false);
    await page.getByRole("heading", { name: "Email Insights" }).waitFor();
  });

  it("loads a tab under another address, where a browser remembers that the first failed", async () => {
    const { page } = visitor;
    await page.route(/\/settings-[^?]*\.js$/, (route) => route.abort());
    await tabLink(page, "Settings").click();
    await page.getByRole("button", { name: "Try Again" }).click();
    await page.getByRole("heading", { name: "Settings", exact: true }).waitFor();
    await page.getByRole("heading", { name: "Appearance" }).waitFor();
    await page.unrouteAll();
  });

  it("opens the dialog of a new mask by keyboard alone, and restores the focus", async () => {
    const { page } = visitor;
    await tabLink(page, "Masks").click();
    await page.getByRole("button", { name: "Create Mask", exact: true }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "Create Mask" }).waitFor();
    await page.keyboard.type("Typed without a mouse");
    await page.keyboard.press("Enter");
    await page.getByRole("listitem", { name: "Typed without a mouse" }).waitFor();
    await page.getByRole("dialog").waitFor({ state: "detached" });
  });

  it("shows the new mask afterwards, with the focus on its address", async () => {
    const { page } = visitor;
    await page.waitForFunction(() => document.activeElement?.getAttribute("aria-label")?.startsWith("Copy "));
    const isInView = await page.getByRole("listitem", { name: "Typed without a mouse" }).evaluate((card) => {
      const { top, bottom } = card.getBoundingClientRect();
      return top >= 0 && bottom <= window.innerHeight;
    });
    expect(isInView).to.equal(true);
  });

  it("opens a dialog by keyboard, and restores the focus when it is closed", async () => {
    const { page } = visitor;
    await page.getByRole("button", { name: "Create Mask", exact: true }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "Create Mask" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.waitForFunction(() => document.activeElement?.textContent === "Create Mask");
  });

  it("never covers a control with a toast", async () => {
    const { page } = visitor;
    for (const size of [
      { width: 360, height: 640 },
      { width: 1280, height: 740 },
    ]) {
      await page.setViewportSize(size);
      await page.getByRole("switch").click();
      const message = page
        .getByRole("region", { name: "Messages" })
        .getByText(/^Mask (de)?activated/)
        .first();
      await message.waitFor();
      // Waits for the new layout, which ends above the toast.
      await page.waitForFunction(() => {
        const region = document.querySelector('section[aria-label="Messages"]');
        return [...document.querySelectorAll("a[href], button, input")]
          .filter((control) => !region?.contains(control))
          .every((control) => {
            const { left, top, width, height } = control.getBoundingClientRect();
            const over = document.elementFromPoint(left + width / 2, top + height / 2);
            return over === null || !region?.contains(over);
          });
      });
      await page.getByRole("button", { name: "Close" }).first().click();
      await message.waitFor({ state: "detached" });
    }
  });

  it("never places the footer of a dialog below the edge of a small screen", async () => {
    const { page } = visitor;
    await page.setViewportSize({ width: 360, height: 560 });
    await page.getByRole("button", { name: "Options for Typed without a mouse" }).click();
    await page.getByRole("menuitem", { name: "Edit mask" }).click();
    const save = page.getByRole("button", { name: "Save Changes" });
    await save.waitFor();
    await page
      .getByRole("dialog", { name: "Edit Mask" })
      .evaluate((dialog) =>
        Promise.allSettled(dialog.ownerDocument.getAnimations().map((animation) => animation.finished)),
      );
    const box = await save.boundingBox();
    expect((box?.y ?? 560) + (box?.height ?? 0)).to.be.at.most(560);
  });

  it("moves the focus to the title when the card that opened the dialog has been deleted", async () => {
    const { page } = visitor;
    await page.getByRole("dialog", { name: "Edit Mask" }).press("Escape");
    await page.getByRole("button", { name: "Options for Typed without a mouse" }).click();
    await page.getByRole("menuitem", { name: "Delete mask" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete mask" }).click();
    await page.waitForFunction(() => document.activeElement?.textContent === "Your Email Masks");
  });
});
