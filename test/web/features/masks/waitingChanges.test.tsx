import "../../../support/dom.ts";
import "../../../../web/app/LaterParts.tsx";
import "../../../../web/features/masks/MaskDialogs.tsx";
import "../../../../web/features/masks/WaitingMasks.tsx";
import { screen, within } from "@testing-library/react";
import { expect } from "chai";
import { createMask } from "../../../fakes/productServer.ts";
import { useDom } from "../../../support/jsdom.ts";
import { closePages, type OpenPage, openMasks } from "../../support/openPage.tsx";

const shop = createMask("shop", { description: "Shop", note: "Old note" });

const goOnline = (page: OpenPage, isOnline: boolean): Promise<void> =>
  page.act(() => page.online$.set(isOnline));

const isOn = (): boolean =>
  (screen.getByRole("switch", { name: "Shop forwards mail" }) as HTMLInputElement).checked;

describe("Masks that are changed without a connection", () => {
  useDom();
  afterEach(closePages);

  it("show the change and what it waits for, and save it when the connection is back", async () => {
    const page = await openMasks({ masks: [shop] });
    await goOnline(page, false);
    await page.user.click(screen.getByRole("switch", { name: "Shop forwards mail" }));
    expect(isOn()).to.equal(false);
    const waiting = await screen.findByRole("list", { name: "Changes that wait for a connection" });
    expect(waiting.textContent).to.contain("Shop");
    expect(waiting.textContent).to.contain("Waiting for a connection: the switch.");
    expect(screen.getAllByText("The change waits for a connection.")).to.have.length(1);
    await goOnline(page, true);
    expect(screen.queryByRole("list", { name: "Changes that wait for a connection" })).to.equal(null);
    expect(isOn()).to.equal(false);
    expect(page.product.masks()[0]?.active).to.equal(false);
  });

  it("are as the server has them again when the change is discarded", async () => {
    const page = await openMasks({ masks: [shop] });
    await goOnline(page, false);
    await page.user.click(screen.getByRole("switch", { name: "Shop forwards mail" }));
    await page.user.click(await screen.findByRole("button", { name: "Discard: Shop" }));
    expect(isOn()).to.equal(true);
    await goOnline(page, true);
    expect(page.product.masks()[0]?.active).to.equal(true);
  });

  it("offer to try again what the server has refused", async () => {
    const page = await openMasks({ masks: [shop] });
    await goOnline(page, false);
    await page.user.click(screen.getByRole("switch", { name: "Shop forwards mail" }));
    page.server.on("PUT", "/masks/:id", { status: 403, json: { message: "Your plan ended." } });
    await goOnline(page, true);
    const waiting = await screen.findByRole("list", { name: "Changes that wait for a connection" });
    expect(waiting.textContent).to.contain("Not saved: the switch. Your plan ended.");
    within(waiting).getByRole("button", { name: "Try again: Shop" });
    expect(isOn()).to.equal(true);
  });

  it("offer what another device had set when their change has replaced it", async () => {
    const page = await openMasks({ masks: [shop] });
    const { masks } = page.signedIn();
    await goOnline(page, false);
    await page.act(async () => {
      await masks.setDescription("shop", "Corner Shop")();
    });
    page.product.setMasks([{ ...shop, description: "Their shop" }]);
    await goOnline(page, true);
    await screen.findByText(
      /was changed on two devices: the name\. Your change has replaced the other one\./,
    );
    await page.press("Keep the other");
    expect(page.product.masks()[0]?.description).to.equal("Their shop");
    expect(screen.queryByText(/was changed on two devices/)).to.equal(null);
  });
});
