import "../../../../support/dom.ts";
import { screen, within } from "@testing-library/react";
import { expect } from "chai";
import { type SinonFakeTimers, useFakeTimers } from "sinon";
import type { Mask } from "../../../../../core/masks/mask.ts";
import { createMask } from "../../../../fakes/productServer.ts";
import { useDom } from "../../../../support/jsdom.ts";
import { closePages, type OpenPage, openMasks } from "../../../support/openPage.tsx";

const figures = { totalReceived: 1_284, totalForwarded: 1_190, spamBlocked: 94, totalSent: 3 };

const shop = createMask("quietharbour", { description: "Bookshop", statistics: figures });

const card = (name = "Bookshop") => within(screen.getByRole("listitem", { name }));

const figure = (label: string, name?: string): string =>
  card(name).getByText(label).closest("div")?.querySelector("dd")?.textContent ?? "";

const openWith = (mask: Mask): Promise<OpenPage> => openMasks({ masks: [mask] });

const choose = async (page: OpenPage, item: string): Promise<void> => {
  await page.user.click(card().getByRole("button", { name: "Options for Bookshop" }));
  await page.user.click(await screen.findByRole("menuitem", { name: item }));
  await page.act(() => {});
};

describe("The card of a mask", () => {
  useDom();
  afterEach(closePages);

  it("shows the description, address, forward-to address, date and the four counts (MA4)", async () => {
    await openWith(shop);
    card().getByRole("heading", { name: "Bookshop" });
    card().getByRole("button", { name: "Copy quietharbour@masks.example" });
    card().getByText("ada@example.org");
    card().getByText("Created Nov 1, 2026");
    expect(figure("Emails received")).to.equal("1,284");
    expect(figure("Forwarded")).to.equal("1,190");
    expect(figure("Blocked")).to.equal("94");
    expect(figure("Replied")).to.equal("3");
  });

  it("has the description as its title, the address below, and the date of the latest mail", async () => {
    const at = new Date(Date.now() - 3 * 86_400_000 - 60_000).toISOString();
    await openWith({ ...shop, statistics: { ...figures, lastUsed: at } });
    const [title, address] = [
      card().getByRole("heading", { name: "Bookshop" }),
      card().getByRole("button", { name: "Copy quietharbour@masks.example" }),
    ];
    expect(title.compareDocumentPosition(address)).to.equal(Node.DOCUMENT_POSITION_FOLLOWING);
    card().getByText("Last email 3 days ago");
  });

  it("counts further destinations, and apart from them those that are not confirmed yet", async () => {
    const [second, third] = ["second@example.org", "third@example.org"];
    const text = () => card().getByText(/^Forwards to/).textContent;
    const page = await openWith({ ...shop, destinations: [shop.forwardTo, second, third] });
    expect(text()).to.equal("Forwards to ada@example.org and 2 more");
    const show = async (awaitingDestinations: readonly string[]): Promise<void> => {
      page.product.setMasks([
        { ...shop, destinations: [shop.forwardTo, second, third], awaitingDestinations },
      ]);
      await page.act(() => void page.app.masks.refresh()());
    };
    await show([third]);
    expect(text()).to.equal("Forwards to ada@example.org and 1 more, 1 not confirmed");
    await show([second, third]);
    expect(text()).to.equal("Forwards to ada@example.org, 2 not confirmed");
  });

  it("says that there was no mail yet, beside its four figures (MA4)", async () => {
    await openWith(createMask("a", { description: "Bookshop" }));
    card().getByText("No mail yet");
    expect(
      ["Emails received", "Forwarded", "Blocked", "Replied"].map((label) => figure(label)),
    ).to.deep.equal(Array(4).fill("0"));
    expect(card().queryByText(/Last mail/)).to.equal(null);
  });

  it("shortens counts of six digits and more, with the full number on hover and for screen readers", async () => {
    await openWith({ ...shop, statistics: { ...figures, totalReceived: 123_456, totalForwarded: 99_999 } });
    const short = card().getByText("123k");
    expect(short.getAttribute("title")).to.equal("123,456");
    expect(short.getAttribute("aria-hidden")).to.equal("true");
    card().getByText("123,456");
    expect(figure("Forwarded")).to.equal("99,999");
  });

  it('shows "Not available" for an unknown date, and is named by its address without a description', async () => {
    const { description: _d, created: _c, ...bare } = createMask("bare");
    await openWith(bare);
    const nameless = card("bare@masks.example");
    nameless.getByText("Created Not available");
    nameless.getByRole("switch", { name: "bare@masks.example forwards mail" });
  });

  it("shortens a local part of over 20 characters to 16 below 768 px, and keeps the full one in its name (MA4)", async () => {
    const page = await openWith(createMask("abcdefghijklmnopqrstu", { description: "Bookshop" }));
    const address = () => card().getByRole("button", { name: "Copy abcdefghijklmnopqrstu@masks.example" });
    expect(address().textContent).to.equal("abcdefghijklmnopqrstu@masks.example");
    await page.act(() => page.page.narrow$.set(true));
    expect(address().textContent).to.equal("abcdefghijklmnop…@masks.example");
    within(address()).getByTitle("abcdefghijklmnopqrstu@masks.example");
  });

  it("copies its address with one press and confirms it for 2 s (MA4, MA8)", async () => {
    const page = await openWith(shop);
    await page.press("Copy quietharbour@masks.example");
    expect(page.page.clipboard()).to.equal("quietharbour@masks.example");
    screen.getByText("Email mask copied to clipboard");
    card().getByText("Copied");
    await page.advance(1_999);
    card().getByText("Copied");
    await page.advance(1);
    expect(card().queryByText("Copied")).to.equal(null);
  });

  it('shows "Failed to copy to clipboard" when the browser refuses (MA8)', async () => {
    const page = await openWith(shop);
    page.page.refuseCopies();
    await page.press("Copy quietharbour@masks.example");
    screen.getByText("Failed to copy to clipboard");
    expect(card().queryByText("Copied")).to.equal(null);
  });

  it("is switched off at once, before the server has answered, with a message (MA4, MA8)", async () => {
    const page = await openWith(shop);
    page.server.on("PUT", "/masks/:id", { json: { ...shop, active: false }, afterMs: 800 });
    const toggle = card().getByRole<HTMLInputElement>("switch", { name: "Bookshop forwards mail" });
    expect(toggle.checked).to.equal(true);
    await page.user.click(toggle);
    expect(toggle.checked).to.equal(false);
    expect(toggle.getAttribute("aria-busy")).to.equal("true");
    card().getByText(/Switched off/);
    await page.advance(800);
    screen.getByText("Mask deactivated successfully");
    expect(page.server.requestsTo("PUT /masks/quietharbour").map(({ body }) => body)).to.deep.equal([
      { active: false },
    ]);
  });

  it("is switched back, with the reason, when the server refuses (MA8)", async () => {
    const page = await openWith(shop);
    page.server.on("PUT", "/masks/:id", { status: 400 });
    await page.user.click(card().getByRole("switch"));
    await page.act(() => {});
    expect(card().getByRole<HTMLInputElement>("switch").checked).to.equal(true);
    screen.getByText("Failed to deactivate mask");
  });

  it("offers Copy, Edit and Delete in its menu; Copy copies (MA4)", async () => {
    const page = await openWith(shop);
    await page.user.click(card().getByRole("button", { name: "Options for Bookshop" }));
    await screen.findByRole("menuitem", { name: "Copy mask" });
    const items = screen.getAllByRole("menuitem").map(({ textContent }) => textContent);
    expect(items).to.deep.equal([
      "Open",
      "Copy mask",
      "Copy link",
      "Edit mask",
      "Rename",
      "Reply or write",
      "Add destination",
      "Rules",
      "Block a sender",
      "Held mail",
      "Pin mask",
      "Delete mask",
    ]);
    await page.user.click(screen.getByRole("menuitem", { name: "Copy mask" }));
    await page.act(() => {});
    expect(page.page.clipboard()).to.equal("quietharbour@masks.example");
  });

  it("asks for confirmation before it is deleted from the menu; Cancel keeps it (MA4)", async () => {
    const page = await openWith(shop);
    await choose(page, "Delete mask");
    const question = await screen.findByRole("alertdialog", { name: "Delete Bookshop?" });
    within(question).getByText(/You can restore it with its rules and statistics for 30 days/);
    await page.press("Cancel");
    expect(page.product.masks()).to.have.length(1);
    card();
  });

  it("disappears once that is confirmed (MA4, MA8)", async () => {
    const page = await openWith(shop);
    await choose(page, "Delete mask");
    await screen.findByRole("alertdialog");
    await page.press("Delete mask");
    screen.getByText("Mask deleted successfully");
    expect(page.product.masks()).to.have.length(0);
    expect(screen.queryByRole("listitem")).to.equal(null);
  });

  it("is restored completely when the deletion is undone within 10 s", async () => {
    const page = await openWith(shop);
    await choose(page, "Delete mask");
    await screen.findByRole("alertdialog");
    await page.press("Delete mask");
    await page.press("Undo");
    screen.getByText("Mask restored");
    expect(page.product.masks()).to.deep.equal([shop]);
    expect(figure("Emails received")).to.equal("1,284");
  });

  it("shows an error when the deletion could not be undone", async () => {
    const page = await openWith(shop);
    await choose(page, "Delete mask");
    await screen.findByRole("alertdialog");
    await page.press("Delete mask");
    page.server.on("POST", "/masks/:id/restore", { status: 404 });
    await page.press("Undo");
    screen.getByText("Failed to restore mask");
  });

  it("keeps the confirmation open with the reason when the deletion fails", async () => {
    const page = await openWith(shop);
    page.server.on("DELETE", "/masks/:id", { status: 400 });
    await choose(page, "Delete mask");
    const question = await screen.findByRole("alertdialog");
    await page.press("Delete mask");
    within(question).getByText("Failed to delete email mask");
  });

  it("shows that its destination is not confirmed, with both ways to proceed (D33)", async () => {
    const page = await openWith(
      createMask("a", {
        description: "Bookshop",
        forwardTo: "other@example.net",
        destinationStatus: "awaiting-confirmation",
      }),
    );
    card().getByText("Awaiting confirmation");
    card().getByText(/Open the link in the email sent to/);
    await page.press("Change address");
    const dialog = await screen.findByRole("dialog", { name: "Edit Mask" });
    expect(within(dialog).getByLabelText<HTMLInputElement>("Forward to").value).to.equal("other@example.net");
  });
});

describe("A mask whose destination is not confirmed", () => {
  useDom();
  afterEach(closePages);

  const waiting = createMask("a", {
    description: "Bookshop",
    forwardTo: "other@example.net",
    destinationStatus: "awaiting-confirmation",
  });

  for (const [answer, sentence] of [
    [{ ...waiting, confirmationSent: true }, "Confirmation email sent to other@example.net"],
    [{ ...waiting, confirmationSent: false }, "The last confirmation email is too recent. Try again later."],
    [
      { ...waiting, destinationStatus: "confirmed", confirmationSent: false },
      "other@example.net is confirmed already",
    ],
  ] as const) {
    it(`offers to send the confirmation again: ${sentence}`, async () => {
      const page = await openWith(waiting);
      page.server.on("PUT", "/masks/:id", { json: answer });
      await page.press("Send again");
      screen.getByText(sentence);
      expect(page.server.requestsTo("PUT /masks/a").map(({ body }) => body)).to.deep.equal([
        { forwardTo: "other@example.net" },
      ]);
    });
  }

  it("shows the server's reason when the confirmation cannot be sent now", async () => {
    const page = await openWith(waiting);
    page.server.on("PUT", "/masks/:id", { status: 400 });
    await page.press("Send again");
    screen.getByText("Failed to send the confirmation email");
  });
});

describe("Mail that arrives while the page is open", () => {
  useDom();
  let timers: SinonFakeTimers | undefined;
  afterEach(() => {
    timers?.restore();
    timers = undefined;
    closePages();
  });

  const received = (totalReceived: number): Mask => ({
    ...shop,
    statistics: { totalReceived, totalForwarded: 1_190, spamBlocked: 94, totalSent: 3 },
  });

  it("updates the counts without a reload, and is announced once, after a pause (MA4)", async () => {
    const page = await openWith(shop);
    timers = useFakeTimers({ toFake: ["setTimeout", "clearTimeout"], shouldClearNativeTimers: true });
    await page.act(page.sockets.latest().accept);
    const arrive = async (count: number): Promise<void> => {
      page.product.setMasks([received(count)]);
      await page.act(() =>
        page.sockets.latest().push({
          type: "data_update",
          data: { resource: "masks", resourceId: shop.id, action: "updated" },
        }),
      );
      await page.advance(1_000);
    };
    await arrive(1_285);
    expect(figure("Emails received")).to.equal("1,285");
    await arrive(1_287);
    expect(figure("Emails received")).to.equal("1,287");
    const statsText = () => screen.queryByText("Bookshop: 1287 received, 1190 forwarded, 94 blocked.");
    expect(statsText()).to.equal(null);
    await page.act(() => timers?.tick(1_500));
    expect(statsText()?.getAttribute("role")).to.equal("status");
  });
});
