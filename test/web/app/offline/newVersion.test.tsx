import "../../../support/dom.ts";
import { render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect } from "chai";
import { NewVersion } from "../../../../web/app/offline/enableOffline.tsx";
import { useDom } from "../../../support/jsdom.ts";

describe("A new version of the page", () => {
  useDom();

  it("is announced when it is ready, and activated by one press", async () => {
    let taken = 0;
    render(<NewVersion onReload={() => (taken += 1)} />);
    expect(screen.getByRole("status").textContent).to.contain("A new version is ready.");
    await userEvent.click(screen.getByRole("button", { name: /^Reload/ }));
    expect(taken).to.equal(1);
  });

  it("can be postponed until the page is opened the next time", async () => {
    render(<NewVersion onReload={() => undefined} />);
    await userEvent.click(screen.getByRole("button", { name: "Dismiss" }));
    expect(screen.queryByRole("status")).to.equal(null);
  });
});
