import "../../../support/dom.ts";
import { act, screen, waitFor, within } from "@testing-library/react";
import { expect } from "chai";
import type { Notification } from "../../../../core/notifications/notification.ts";
import type { AppOnFakesOptions } from "../../../fakes/appOnFakes.ts";
import { createNotification } from "../../../fakes/productNotifications.ts";
import { useDom } from "../../../support/jsdom.ts";
import { beginning, closePages, type OpenPage, openMasks } from "../../support/openPage.tsx";

/** Opens the page of a user with these notifications, the oldest first. */
const openWith = async (
  notifications: readonly Partial<Notification>[],
  options: AppOnFakesOptions = {},
): Promise<OpenPage> => {
  const page = await openMasks(options);
  for (const more of notifications) page.product.notifications.add(more);
  await act(() => page.app.notifications.refresh()());
  return page;
};

const bell = (): HTMLElement => screen.getByRole("button", { name: /^Notifications/, hidden: true });
const panel = (): Promise<HTMLElement> => screen.findByRole("dialog", { name: "Notifications" });

const openPanel = async (page: OpenPage): Promise<HTMLElement> => {
  await page.user.click(bell());
  const opened = await panel();
  await page.act(() => {});
  return opened;
};

const rows = (): readonly string[] =>
  within(screen.getByRole("dialog"))
    .getAllByRole("listitem")
    .map(({ textContent }) => textContent ?? "");

describe("A notification of a program", () => {
  useDom();
  afterEach(closePages);

  it("leads to its card of the settings, one of an unknown place nowhere", async () => {
    const page = await openWith([
      { place: "moon" },
      { place: "destinations" },
      { place: "webhooks" },
      { place: "api-tokens" },
    ]);
    await openPanel(page);
    const links = screen.getAllByRole("link", { name: /^Show / });
    expect(links.map((link) => [link.textContent, link.getAttribute("href")])).to.deep.equal([
      ["Show API tokens", "#settings/programs/api-tokens"],
      ["Show webhooks", "#settings/programs/webhooks"],
      ["Show addresses", "#settings/mail/destinations"],
    ]);
    await page.follow("Show webhooks");
    expect(window.location.hash).to.equal("#settings/programs/webhooks");
    await screen.findByRole("heading", { name: "Webhooks" });
  });
});

describe("A notification of a mail", () => {
  useDom();
  afterEach(closePages);

  const sender = { maskId: "quietharbour", address: "ads@news.shop.example" };

  it("names its sender, who is blocked alone or with their domain in one click, and unblocked by Undo", async () => {
    const page = await openWith([{}, { sender }]);
    for (const list of ["GET", "PUT", "DELETE"] as const)
      page.server.on(list, "/masks/:id/senders/:sender", { json: { before: null } });
    const requests = (method: string, name: string): number =>
      page.server.requestsTo(`${method} /masks/quietharbour/senders/${name}`).length;
    await openPanel(page);
    screen.getByText("From ads@news.shop.example");
    await page.press("Block sender ads@news.shop.example");
    screen.getByText("ads@news.shop.example is blocked");
    expect(requests("PUT", "ads%40news.shop.example")).to.equal(1);
    await page.press("Undo");
    screen.getByText("ads@news.shop.example is no longer blocked");
    expect(requests("DELETE", "ads%40news.shop.example")).to.equal(1);
    await page.press("Block domain news.shop.example");
    screen.getByText("news.shop.example is blocked");
    expect(requests("PUT", "news.shop.example")).to.equal(1);
    expect(screen.getAllByRole("button", { name: /^Block/ })).to.have.length(2);
  });

  it("says that a sender is blocked already, or why they cannot be", async () => {
    const page = await openWith([{ sender }]);
    page.server.on("PUT", "/masks/:id/senders/:sender", { json: { before: "block" } });
    await openPanel(page);
    await page.press("Block sender ads@news.shop.example");
    screen.getByText("ads@news.shop.example is blocked already");
    expect(screen.queryByRole("button", { name: "Undo" })).to.equal(null);
    page.server.on("PUT", "/masks/:id/senders/:sender", { status: 404, json: { message: "No such mask" } });
    await page.press("Block domain news.shop.example");
    screen.getByText("No such mask");
  });

  it("without a time shows none", async () => {
    const page = await openWith([]);
    await page.act(() => page.app.notifications.receive({ id: 1_000, message: "From another server" }));
    const opened = await openPanel(page);
    within(opened).getByText(/From another server/);
    expect(opened.querySelector("time")).to.equal(null);
  });

  it("puts a sender back on the list of those who are always allowed", async () => {
    const page = await openWith([{ sender }]);
    page.server.on("PUT", "/masks/:id/senders/:sender", { json: { before: "allow" } });
    await openPanel(page);
    await page.press("Block sender ads@news.shop.example");
    await page.press("Undo");
    const bodies = page.server
      .requestsTo("PUT /masks/quietharbour/senders/ads%40news.shop.example")
      .map(({ body }) => body);
    expect(bodies).to.deep.equal([{ list: "block" }, { list: "allow" }]);
  });
});

describe("The bell", () => {
  useDom();
  afterEach(closePages);

  it("shows the number of unread notifications, at most 99+, and has it in its name (NO1)", async () => {
    const page = await openWith([{}, {}, { read: true }]);
    expect(bell().getAttribute("aria-label")).to.equal("Notifications, 2 unread");
    expect(bell().parentElement?.textContent).to.equal("2");
    for (let n = 0; n < 100; n += 1) page.product.notifications.add();
    await act(() => page.app.notifications.refresh()());
    expect(bell().parentElement?.textContent).to.equal("99+");
    await act(() => page.app.notifications.markAllRead()());
    expect(bell().getAttribute("aria-label")).to.equal("Notifications");
    expect(bell().parentElement?.textContent).to.equal("");
  });

  it("counts incoming notifications, and shows a toast only for high and urgent ones", async () => {
    const page = await openWith([]);
    await page.act(page.sockets.latest().accept);
    await page.advance(500);
    const one = (priority: string) =>
      page.product.notifications.add({ message: `It is ${priority}.`, priority });
    await page.act(() => page.sockets.latest().push({ type: "notification", data: one("normal") }));
    await page.act(() => page.sockets.latest().push({ type: "notification", data: one("urgent") }));
    expect(bell().getAttribute("aria-label")).to.equal("Notifications, 2 unread");
    const messages = within(screen.getByRole("region", { name: "Messages" }));
    messages.getByText("It is urgent.");
    expect(messages.queryByText("It is normal.")).to.equal(null);
  });

  it('handles a "notification:received" event of the page', async () => {
    const page = await openWith([]);
    const detail = createNotification(7, { message: "From elsewhere.", priority: "high" });
    await page.act(() => {
      window.dispatchEvent(new CustomEvent("notification:received", { detail }));
      window.dispatchEvent(new CustomEvent("notification:received", { detail: "nonsense" }));
      window.dispatchEvent(new window.Event("notification:received"));
    });
    expect(bell().getAttribute("aria-label")).to.equal("Notifications, 1 unread");
    screen.getByText("From elsewhere.");
  });

  it("is shown only while a user is signed in", async () => {
    const page = await openWith([{}]);
    await page.press("Log out");
    expect(screen.queryByRole("button", { name: /^Notifications/ })).to.equal(null);
  });
});

describe("The list of notifications", () => {
  useDom();
  afterEach(closePages);

  it("opens from the bell with the newest first, and restores the focus on Escape", async () => {
    const page = await openWith([{ message: "First." }, { message: "Second.", read: true }]);
    await openPanel(page);
    expect(bell().getAttribute("aria-expanded")).to.equal("true");
    expect(rows().map((row) => /(Unread: )?\w+\./.exec(row)?.[0])).to.deep.equal([
      "Second.",
      "Unread: First.",
    ]);
    await page.user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog")).to.equal(null));
    await waitFor(() => expect(document.activeElement).to.equal(bell()));
  });

  it("is a sheet with a close button on a narrow screen", async () => {
    const page = await openWith([{}]);
    await page.act(() => page.page.narrow$.set(true));
    const opened = await openPanel(page);
    await page.user.click(within(opened).getByRole("button", { name: "Close" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).to.equal(null));
  });

  it("explains what will appear while it is empty", async () => {
    const page = await openWith([]);
    const opened = await openPanel(page);
    within(opened).getByText("No notifications");
    within(opened).getByText("News about your masks and your account appears here.");
    expect(within(opened).queryByRole("list")).to.equal(null);
  });

  it("is refetched whenever it is opened", async () => {
    const page = await openWith([{}]);
    page.product.notifications.add({ message: "Meanwhile." });
    const opened = await openPanel(page);
    await within(opened).findByText("Meanwhile.");
  });

  it("shows an error when loading fails, and retries", async () => {
    const page = await openMasks({
      before: ({ server }) => server.on("GET", "/notifications", { status: 404 }),
    });
    const opened = await openPanel(page);
    within(opened).getByText("Failed to load notifications");
    page.server.on("GET", "/notifications", {
      json: { notifications: [createNotification(1, { message: "Here it is." })], unread: 1 },
    });
    await page.press("Try Again");
    await within(opened).findByText("Here it is.");
    expect(within(opened).queryByRole("alert")).to.equal(null);
  });

  it("marks a notification as read by its button", async () => {
    const page = await openWith([{ message: "First." }, { message: "Second." }]);
    const opened = await openPanel(page);
    const [button] = within(opened).getAllByRole("button", { name: "Mark as read" });
    const described = document.getElementById(button?.getAttribute("aria-describedby") ?? "");
    expect(described?.textContent).to.equal("Unread: Second.");
    await page.user.click(button as HTMLElement);
    await page.act(() => {});
    expect(rows()[0]).not.to.include("Unread");
    within(opened).getByText("1 unread");
    expect(page.product.notifications.unread()).to.equal(1);
    expect(opened.contains(document.activeElement), "the focus stays").to.equal(true);
  });

  it("marks all as read, and keeps the focus when none is left to mark", async () => {
    const page = await openWith([{}, {}, {}]);
    const opened = await openPanel(page);
    await page.press("Mark all as read");
    expect(document.activeElement?.textContent).to.equal("All read");
    expect(within(opened).queryByRole("button", { name: "Mark as read" })).to.equal(null);
    expect(page.product.notifications.unread()).to.equal(0);
  });

  it("deletes a notification, with Undo for 5 s", async () => {
    const page = await openWith([{ message: "First." }, { message: "Second." }]);
    const opened = await openPanel(page);
    const remove = (): Promise<void> =>
      page.user.click(within(opened).getAllByRole("button", { name: "Delete" })[0] as HTMLElement);
    await remove();
    within(opened).getByText("Notification deleted");
    const undo = within(opened).getByRole("button", { name: "Undo: Second." });
    expect(document.activeElement).to.equal(undo);
    await page.user.keyboard("{Enter}");
    expect(rows()[0]).to.include("Second.");
    expect(document.activeElement).to.equal(within(opened).getAllByRole("button", { name: "Delete" })[0]);
    await remove();
    await page.advance(5_000);
    expect(rows()).to.have.length(1);
    expect(page.product.notifications.all().map(({ message }) => message)).to.deep.equal(["First."]);
    expect(document.activeElement, "the focus goes to the row in its place").to.equal(
      within(opened).getByRole("button", { name: "Delete" }),
    );
  });

  it("says what concerns the security of the account as such, in the list and in a toast that interrupts", async () => {
    const message = "A copied session key was used. All sessions are ended.";
    const page = await openWith([{ message: "First." }]);
    await page.act(page.sockets.latest().accept);
    const told = createNotification(2, { type: "security", priority: "high", message });
    await page.act(() => page.sockets.latest().push({ type: "notification", data: told }));
    expect(document.querySelector("[aria-live=assertive]")?.textContent).to.include(`Security: ${message}`);
    await openPanel(page);
    expect(rows()[0]).to.include(`Security: Unread: ${message}`);
  });

  it("restores a notification whose deletion failed, and says so", async () => {
    const page = await openWith([{ message: "First." }]);
    page.server.on("DELETE", "/notifications/:id", { status: 400 });
    const opened = await openPanel(page);
    await page.user.click(within(opened).getByRole("button", { name: "Delete" }));
    await page.advance(5_000);
    expect(rows()[0]).to.include("First.");
    screen.getByText("Failed to delete notification");
  });

  it("is navigated by Up, Down, Home and End", async () => {
    const page = await openWith([{}, {}, {}]);
    const opened = await openPanel(page);
    const deletes = within(opened).getAllByRole("button", { name: "Delete" });
    act(() => deletes[0]?.focus());
    for (const [key, at] of [
      ["ArrowDown", 1],
      ["End", 2],
      ["ArrowDown", 2],
      ["ArrowUp", 1],
      ["Home", 0],
      ["ArrowUp", 0],
    ] as const) {
      await page.user.keyboard(`{${key}}`);
      expect(document.activeElement, key).to.equal(deletes[at]);
    }
  });

  it("shows at once what was read or deleted in another tab or on another device", async () => {
    const page = await openWith([{ message: "First." }, { message: "Second." }]);
    await page.act(page.sockets.latest().accept);
    await openPanel(page);
    await page.act(() =>
      page.sockets.latest().push({
        type: "read_status_updated",
        data: { notificationId: "1", read: true, unread: 1 },
      }),
    );
    expect(rows()[1]).not.to.include("Unread");
    await page.act(() =>
      page.sockets.latest().push({
        type: "data_update",
        data: { resource: "notifications", resourceId: "2", action: "deleted" },
      }),
    );
    expect(rows()).to.have.length(1);
    expect(screen.getByRole("button", { name: beginning("Notifications"), hidden: true })).to.not.equal(null);
  });
});
