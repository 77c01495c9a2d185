import "../../../support/dom.ts";
import "../../../../web/features/held/HeldPage.tsx";
import { screen } from "@testing-library/react";
import { expect } from "chai";
import type { HeldMail } from "../../../../core/held/heldMail.ts";
import { goTo } from "../../../../web/navigation/goTo.ts";
import { createMask } from "../../../fakes/productServer.ts";
import { useDom } from "../../../support/jsdom.ts";
import { closePages, type OpenPage, openPage } from "../../support/openPage.tsx";

const mailOf = (id: string): HeldMail => ({
  id,
  maskId: "shop",
  direction: "received",
  reason: "unknown",
  from: { name: "", address: `${id}@shop.example` },
  subject: `Order ${id}`,
  recipient: "ada@example.org",
  size: 1_000,
  answer: null,
  held: "2026-11-20T08:00:00.000Z",
  until: "2026-11-27T08:00:00.000Z",
});

const openHeld = async (): Promise<OpenPage> => {
  window.history.replaceState(null, "", "/#held");
  const page = await openPage({
    masks: [createMask("shop")],
    before: ({ server }) =>
      server.on("GET", "/held", { json: { mails: [mailOf("first"), mailOf("second")], more: false } }),
  });
  await screen.findByRole("list", { name: "Held mail" });
  return page;
};

const isOpen = (id: string): boolean =>
  screen
    .getByRole("button", { name: new RegExp(`${id}@shop\\.example to`) })
    .getAttribute("aria-expanded") === "true";

describe("A line of the held mail", () => {
  useDom();
  afterEach(closePages);

  it("says why its mail could not be released, also while it is closed", async () => {
    const page = await openHeld();
    page.server.on("POST", "/held/:id/release", {
      status: 409,
      json: { message: "This mail is being sent" },
    });
    const [release] = screen.getAllByRole("button", { name: /^Release/ });
    if (release) await page.user.click(release);
    await page.act(() => {});
    expect(isOpen("first")).to.equal(false);
    screen.getByText("This mail is being sent");
  });

  it("opens when a link leads to it, also while the page is shown", async () => {
    const page = await openHeld();
    await page.act(() => goTo("#held?mail=second"));
    expect([isOpen("first"), isOpen("second")]).to.deep.equal([false, true]);
  });
});
