import "../../support/dom.ts";
import { screen, within } from "@testing-library/react";
import { expect } from "chai";
import { useDom } from "../../support/jsdom.ts";
import { closePages, openMasks } from "../support/openPage.tsx";

describe("Toasts and banners", () => {
  useDom();
  afterEach(closePages);

  it("close by themselves after 5 s (SH3)", async () => {
    const page = await openMasks();
    await page.act(() => page.app.toasts.show("success", "Mask created successfully"));
    screen.getByText("Mask created successfully");
    await page.advance(4_999);
    screen.getByText("Mask created successfully");
    await page.advance(1);
    expect(screen.queryByText("Mask created successfully")).to.equal(null);
  });

  it("close by their button (SH3)", async () => {
    const page = await openMasks();
    await page.act(() => page.app.toasts.show("error", "Failed to create mask"));
    await page.user.click(
      within(screen.getByRole("region", { name: "Messages" })).getByRole("button", { name: "Close" }),
    );
    expect(screen.queryByText("Failed to create mask")).to.equal(null);
  });

  it("are shown one at a time, the newest first, with their number", async () => {
    const page = await openMasks();
    await page.act(() => {
      for (const text of ["one", "two", "three"]) page.app.toasts.show("info", text);
    });
    const messages = within(screen.getByRole("region", { name: "Messages" }));
    const isShown = (text: string): boolean => screen.getByText(text).closest("[hidden]") === null;
    expect(["one", "two", "three"].filter(isShown)).to.deep.equal(["three"]);
    expect(
      messages.getAllByText(/^1 of 3$/).filter((one) => one.closest("[hidden]") === null),
    ).to.have.length(1);
    await page.user.click(messages.getByRole("button", { name: "Close" }));
    expect(isShown("two")).to.equal(true);
  });

  it("stay while the pointer or the focus is on them", async () => {
    const page = await openMasks();
    await page.act(() => page.app.toasts.show("success", "Mask created successfully"));
    await page.user.hover(screen.getByText("Mask created successfully"));
    await page.advance(60_000);
    await page.user.unhover(screen.getByText("Mask created successfully"));
    await page.advance(4_999);
    screen.getByText("Mask created successfully");
    await page.advance(1);
    expect(screen.queryByText("Mask created successfully")).to.equal(null);
  });

  it("with the same text are merged into one with a count", async () => {
    const page = await openMasks();
    await page.act(() => {
      for (const text of ["same", "same", "same"]) page.app.toasts.show("info", text);
    });
    expect(screen.getByText("same").parentElement?.textContent).to.equal("same ×3");
  });

  it("offer Undo for 10 s, once", async () => {
    const page = await openMasks();
    let undone = 0;
    const undo = { label: "Undo", run: () => (undone += 1) };
    await page.act(() => page.app.toasts.show("success", "Mask deleted successfully", undo));
    await page.advance(9_999);
    await page.press("Undo");
    expect(undone).to.equal(1);
    expect(screen.queryByText("Mask deleted successfully")).to.equal(null);
    await page.act(() => page.app.toasts.show("success", "Mask deleted successfully", undo));
    await page.act(() => page.app.toasts.show("success", "Mask deleted successfully", undo));
    await page.press("Undo");
    await page.press("Undo");
    expect(undone, "each of two can be undone").to.equal(3);
    await page.act(() => page.app.toasts.show("success", "Mask deleted successfully", undo));
    await page.advance(10_000);
    expect(screen.queryByRole("button", { name: "Undo" })).to.equal(null);
  });

  it("that must be dismissed appear in a banner (SH3)", async () => {
    const page = await openMasks();
    await page.act(() => page.app.banner.show("The connection is gone"));
    within(screen.getByRole("alert")).getByText("The connection is gone");
    await page.advance(60_000);
    await page.press("Dismiss");
    expect(screen.queryByRole("alert")).to.equal(null);
  });
});
