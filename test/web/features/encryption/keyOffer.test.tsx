import "../../../support/dom.ts";
// Lazily loaded by the app; imported here so that loading it takes no time in the test.
import "../../../../web/features/encryption/KeyOffer.tsx";
import { screen } from "@testing-library/react";
import { expect } from "chai";
import { createUser } from "../../../fakes/productServer.ts";
import { useDom } from "../../../support/jsdom.ts";
import { closePages, type OpenPage, openPage } from "../../support/openPage.tsx";

const offerText = /^Forwarded mail can be read by every server it passes/;

const account = (options: { forwarded: number; keyOffer?: string; hasKey?: boolean }) => ({
  ...createUser("ada@example.org"),
  keyStatus: options.hasKey ? ("configured" as const) : ("not-configured" as const),
  ...(options.keyOffer && { keyOffer: options.keyOffer }),
  usage: { masks: { active: 1 }, emails: { forwarded: options.forwarded } },
});

const openWith = (
  json: ReturnType<typeof account>,
  device: Partial<Pick<OpenPage, "storage">> = {},
): Promise<OpenPage> =>
  openPage({ ...device, before: ({ server }) => server.on("GET", "/account", { json }) });

describe("The offer of encryption after the first forwarded mail", () => {
  useDom();
  afterEach(closePages);

  const answers = (page: OpenPage) => page.server.requestsTo("PUT /account/profile").map(({ body }) => body);

  it("stands above the masks of a user without a key, and leads to the settings", async () => {
    const page = await openWith(account({ forwarded: 1 }));
    await screen.findByText(offerText);
    await page.follow("Set up encryption");
    await screen.findByRole("heading", { name: "Security Settings" });
    expect(answers(page)).to.deep.equal([{ keyOffer: "postponed" }]);
  });

  it("is gone after Not now, and the focus is in the content", async () => {
    const page = await openWith(account({ forwarded: 1 }));
    await screen.findByText(offerText);
    await page.press("Not now");
    expect(answers(page)).to.deep.equal([{ keyOffer: "postponed" }]);
    expect(screen.queryByText(offerText)).to.equal(null);
    expect(document.activeElement).to.equal(screen.getByRole("main"));
  });

  it("is not made again after a reload, whatever has been offered before it", async () => {
    const page = await openWith(account({ forwarded: 1 }));
    await screen.findByText(offerText);
    await page.press("Not now");
    closePages();
    const again = await openWith(account({ forwarded: 1 }), { storage: page.storage });
    await screen.findByRole("heading", { name: "Your Email Masks" });
    await again.advance(2_000);
    expect(screen.queryByText(offerText)).to.equal(null);
  });

  it("stays with the reason when the answer cannot be saved", async () => {
    const page = await openWith(account({ forwarded: 1 }));
    await screen.findByText(offerText);
    page.server.on("PUT", "/account/profile", { status: 400, json: { message: "Wait a moment." } });
    await page.press("Not now");
    screen.getByText("Wait a moment.");
    screen.getByRole("button", { name: "Not now" });
  });

  it("gives way to a warning of the list: one notice stands above it", async () => {
    const page = await openWith(account({ forwarded: 1 }));
    await screen.findByText(offerText);
    page.server.on("GET", "/masks", { status: 500 });
    await page.act(() => void page.app.masks.refresh()());
    await page.advance(30_000);
    screen.getByText("Using cached mask data. Refresh when online.");
    expect(screen.queryByText(offerText)).to.equal(null);
  });

  it("is not made before, nor with a key, nor again", async () => {
    for (const user of [
      account({ forwarded: 0 }),
      account({ forwarded: 3, hasKey: true }),
      account({ forwarded: 3, keyOffer: "postponed" }),
      account({ forwarded: 3, keyOffer: "declined" }),
    ]) {
      const page = await openWith(user);
      await screen.findByRole("heading", { name: "Your Email Masks" });
      await page.advance(2_000);
      expect(screen.queryByText(offerText), JSON.stringify(user)).to.equal(null);
      closePages();
    }
  });
});
