import "../../support/dom.ts";
import { screen } from "@testing-library/react";
import { expect } from "chai";
import { makeMask } from "../../fakes/productServer.ts";
import { useDom } from "../../support/jsdom.ts";
import { closePages } from "../support/openPage.tsx";
import { openTab } from "../support/openTab.ts";

describe("The rules tab", () => {
  useDom();
  afterEach(closePages);

  it("offers a first rule, and templates to apply, for the first mask", async () => {
    const { panel } = await openTab("Rules", { masks: [makeMask("shop")] });
    panel.getByRole("heading", { name: "Custom Rules" });
    panel.getByRole("button", { name: "Create Rule" });
    panel.getByRole("button", { name: "Add First Rule" });
    for (const name of ["Shopping", "Professional", "Travel"])
      panel.getByRole("button", { name: `Apply ${name}` });
  });

  it("says what to do first to somebody without masks", async () => {
    const { panel, user } = await openTab("Rules", { masks: [] });
    panel.getByText("You don't have any email masks yet.");
    panel.getByText("Create one to give it rules.");
    expect(panel.queryByRole("button", { name: "Create Rule" })).to.equal(null);
    await user.click(panel.getByRole("button", { name: "Create your first mask" }));
    screen.getByRole("tab", { name: "Masks", selected: true });
  });
});
