import { expect } from "chai";
import type { Page } from "playwright-core";
import { type Sink, startSink } from "../server/support/sink.ts";
import { until } from "../server/support/until.ts";
import { expectAccessible } from "../support/accessible.ts";
import { sendMail } from "./support/mail.ts";
import { useProduct } from "./support/product.ts";
import { createMask, maskCard } from "./support/visitor.ts";

describe("held mail, in a real browser", () => {
  let sink: Sink;
  const environment: NodeJS.ProcessEnv = {};
  const { server, visitAs } = useProduct(() => environment);
  before(async () => {
    sink = await startSink();
  });
  after(() => sink.close());

  /** The codes of the accounts are in the outbox; from then on there is a next hop. */
  const useNextHop = async (): Promise<void> => {
    environment["NEXT_HOP"] = `smtp://127.0.0.1:${sink.port}`;
    await server.stop();
    await server.restart();
  };
  const useOutbox = async (): Promise<void> => {
    if (!("NEXT_HOP" in environment)) return;
    delete environment["NEXT_HOP"];
    await server.stop();
    await server.restart();
  };
  const refuse = (): void => {
    sink.onContent = () => "554 5.7.1 this looks like spam";
  };
  const heldMail = (page: Page) =>
    page
      .getByRole("list", { name: "Held mail" })
      .getByRole("listitem")
      .filter({ has: page.getByRole("heading", { name: "Your order is on its way" }) });
  const focused = (page: Page): Promise<string | null> =>
    page.evaluate(() => document.activeElement?.textContent ?? null);

  it("is found from its notification and from its mask, sent again, and deleted by keyboard, on a wide and a narrow screen", async () => {
    await useOutbox();
    const visitor = await visitAs("held@example.org");
    const { page } = visitor;
    await useNextHop();
    await page.reload();
    // The restart cut connections of the page that was open before.
    const beforeReload = visitor.complaints.length;
    const address = await createMask(page, "Corner Shop");
    refuse();
    await sendMail(server, address);

    await page.getByRole("button", { name: "Notifications, 1 unread" }).click();
    const message = page.getByText(/^The email “Your order is on its way” from Corner Shop/).last();
    await message.waitFor();
    await expectAccessible(page, "the notification about a held mail");
    await page.getByRole("link", { name: "Try again or send elsewhere" }).click();
    await page.getByRole("heading", { name: "Held mail", level: 1 }).waitFor();
    const mail = heldMail(page);
    await mail.getByText("refused it").waitFor();
    await mail.getByText("Corner Shop (orders@shop.example.org)").waitFor();
    await mail.getByText(address).waitFor();
    await until("the page is announced", async () => (await focused(page)) === "Held mail");
    await expectAccessible(page, "held mail");

    await mail.getByRole("button", { name: "Send elsewhere" }).click();
    const dialog = page.getByRole("dialog", { name: "Send elsewhere" });
    await dialog.getByText("You have no other confirmed address.").waitFor();
    await expectAccessible(page, "the choice of another address");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });

    sink.onContent = () => null;
    const before = sink.mails.length;
    await mail.getByRole("button", { name: "Try again" }).click();
    await page.getByText("No mail is held").waitFor();
    await until("it has arrived", () => sink.mails.length > before);
    await expectAccessible(page, "no held mail");
    await page.goBack();
    await page.getByRole("heading", { name: "Your Email Masks" }).waitFor();

    refuse();
    await sendMail(server, address);
    await page.getByRole("button", { name: "Options for Corner Shop" }).press("Enter");
    await page.getByRole("menuitem", { name: "Held mail" }).press("Enter");
    await page.getByText(`Mail of Corner Shop (${address}).`).waitFor();
    await heldMail(page).waitFor();
    await page.reload();
    await page.getByText(`Mail of Corner Shop (${address}).`).waitFor();
    await heldMail(page).getByRole("button", { name: "Delete" }).press("Enter");
    const question = page.getByRole("alertdialog", { name: "Delete this email?" });
    await expectAccessible(page, "the question before a deletion");
    await question.getByRole("button", { name: "Delete" }).press("Enter");
    await page.getByText("No mail is held").waitFor();
    await until("the focus is on the page", async () => (await focused(page)) === "Held mail");
    await page.getByRole("link", { name: "Back" }).press("Enter");
    await maskCard(page, "Corner Shop").waitFor();
    expect(visitor.complaints.slice(beforeReload)).to.deep.equal([]);
  });
});
