import "../../../../support/dom.ts";
import { screen, waitFor } from "@testing-library/react";
import { expect } from "chai";
import { createMask } from "../../../../fakes/productServer.ts";
import { useDom } from "../../../../support/jsdom.ts";
import { closePages, openMasks } from "../../../support/openPage.tsx";

describe("Going back from the page of a mask", () => {
  useDom();
  afterEach(closePages);

  it("gives the focus to its row", async () => {
    const page = await openMasks({
      masks: ["Bakery", "Bookshop"].map((description) => createMask(description, { description })),
    });
    await page.press("Options for Bookshop");
    await page.user.click(await screen.findByRole("menuitem", { name: "Open" }));
    await screen.findByRole("heading", { name: "Bookshop", level: 1 });
    await page.user.click(screen.getByRole("link", { name: "Back" }));
    await screen.findByRole("list", { name: "Email masks" });
    await waitFor(() => expect(document.activeElement?.textContent).to.equal("Bookshop"));
  });
});
