import "../../../support/dom.ts";
import { screen, within } from "@testing-library/react";
import { expect } from "chai";
import { createCorrespondent } from "../../../fakes/productCorrespondents.ts";
import { createMask } from "../../../fakes/productServer.ts";
import { useDom } from "../../../support/jsdom.ts";
import { closePages, type OpenPage, openMasks } from "../../support/openPage.tsx";

const lastReceived = "2026-11-20T10:00:00.000Z";

const openDialog = async (): Promise<OpenPage> => {
  const page = await openMasks({ masks: [createMask("quietharbour", { description: "Bookshop" })] });
  const correspondents = [createCorrespondent("ads", { lastReceived }), createCorrespondent("never")];
  page.server.on("GET", "/masks/:id/correspondents", { json: { correspondents, more: false } });
  await page.press("Options for Bookshop");
  await page.user.click(await screen.findByRole("menuitem", { name: "Block a sender" }));
  await screen.findByRole("dialog", { name: "Block a sender at Bookshop" });
  await page.act(() => {});
  return page;
};

describe("Blocking a sender from the menu of a mask", () => {
  useDom();
  afterEach(closePages);

  it("takes one press for who wrote last, which Undo takes back", async () => {
    const page = await openDialog();
    const rows = within(screen.getByRole("list", { name: "Recent senders" })).getAllByRole("listitem");
    expect(rows).to.have.length(1);
    await page.press("Block sender ads@shop.example");
    screen.getByText("ads@shop.example is blocked");
    expect(page.server.requestsTo("PUT /masks/quietharbour/senders/ads%40shop.example")).to.have.length(1);
    await page.press("Undo");
    screen.getByText("ads@shop.example is no longer blocked");
    expect(page.server.requestsTo("DELETE /masks/quietharbour/senders/ads%40shop.example")).to.have.length(1);
  });

  it("takes any other address or domain, and says what it takes", async () => {
    const page = await openDialog();
    await page.type("Another address or domain", "nobody");
    await page.user.keyboard("{Enter}");
    screen.getByText("Enter an address or a domain, such as ads@shop.example or shop.example");
    await page.type("Another address or domain", "@Shop.example");
    await page.user.keyboard("{Enter}");
    await page.act(() => {});
    screen.getByText("shop.example is blocked");
    expect(screen.getByLabelText<HTMLInputElement>("Another address or domain").value).to.equal("");
  });

  it("says that nobody has written yet, and why a sender cannot be blocked", async () => {
    const page = await openDialog();
    page.server.on("GET", "/masks/:id/correspondents", { json: { correspondents: [], more: false } });
    page.server.on("PUT", "/masks/:id/senders/:sender", {
      status: 409,
      json: { message: "The list is full" },
    });
    await page.type("Another address or domain", "ads@shop.example");
    await page.user.keyboard("{Enter}");
    await page.act(() => {});
    screen.getByText("The list is full");
    await page.user.keyboard("{Escape}");
    await page.press("Options for Bookshop");
    await page.user.click(await screen.findByRole("menuitem", { name: "Block a sender" }));
    await screen.findByText("No senders yet. They appear with the first email.");
  });
});
