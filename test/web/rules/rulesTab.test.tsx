import "../../support/dom.ts";
import { expect } from "chai";
import { useDom } from "../../support/jsdom.ts";
import { closePages } from "../support/openPage.tsx";
import { openTab } from "../support/openTab.ts";

describe("The rules tab", () => {
  useDom();
  afterEach(closePages);

  it("says in one sentence that rules are not there yet, and offers nothing dead", async () => {
    const { panel } = await openTab("Rules");
    panel.getByText("Rules are not part of this version yet.");
    expect(panel.queryAllByRole("button")).to.have.length(0);
  });
});
