import { expect } from "chai";
import type { Locator, Page } from "playwright-core";
import { until } from "../server/support/until.ts";
import { expectAccessible } from "../support/accessible.ts";
import { tabLink } from "../support/tabLink.ts";
import { sendMail } from "./support/mail.ts";
import { useProduct } from "./support/product.ts";
import { outboxOf } from "./support/server.ts";
import { createMask, expectCopied, maskCard, pressUntil, type Visitor } from "./support/visitor.ts";

const sender = "orders@shop.example.org";
const subject = "Your order is on its way";

describe("mail of unknown senders, in a real browser", () => {
  const { server, visitAs } = useProduct();

  /** Has a mask ask its owner about senders whom they have not allowed, over HTTP. */
  const askAboutSenders = (page: Page, email: string): Promise<number> =>
    page.evaluate(async (address) => {
      const csrf = document.cookie.match(/csrfToken=([^;]+)/)?.[1] ?? "";
      const headers = {
        authorization: `Bearer ${localStorage.getItem("authToken")}`,
        "content-type": "application/json",
        "x-csrf-token": decodeURIComponent(csrf),
      };
      const { masks } = await (await fetch("/masks", { headers })).json();
      const { id } = masks.find((mask: { maskEmail: string }) => mask.maskEmail === address);
      const body = JSON.stringify({ senders: { mode: "approve" } });
      return (await fetch(`/masks/${id}`, { method: "PUT", headers, body })).status;
    }, email);
  /** The number of mails that reached an address. */
  const arrivedAt = async (email: string): Promise<number> =>
    (await outboxOf(server)).filter(
      (mail) => mail.includes(`X-Outbox-To: ${email}`) && mail.includes(subject),
    ).length;
  const heldMail = (page: Page): Locator =>
    page
      .getByRole("list", { name: "Held mail" })
      .getByRole("listitem")
      .filter({ has: page.getByRole("heading", { name: subject }) });
  const openHeld = async ({ page }: Visitor): Promise<void> => {
    await tabLink(page, "Masks").click();
    await page.getByRole("button", { name: "Options for Corner Shop" }).press("Enter");
    await page.getByRole("menuitem", { name: "Held mail" }).press("Enter");
    await page.getByRole("heading", { name: "Held mail", level: 1 }).waitFor();
  };

  it("is released, allowed and blocked by keyboard and counted, on a wide and a narrow screen", async () => {
    const email = "careful@example.org";
    const visitor = await visitAs(email);
    const { page } = visitor;
    const look = (where: string): Promise<void> => expectAccessible(page, where);
    const address = await createMask(page, "Corner Shop");
    await maskCard(page, "Corner Shop").waitFor();
    expect(await askAboutSenders(page, address)).to.equal(200);

    await sendMail(server, address);
    await page.getByRole("button", { name: "Notifications, 1 unread" }).waitFor();
    await pressUntil(
      page.getByRole("button", { name: /^Notifications/ }),
      page.getByText("Mail to “Corner Shop” is held, because you have not allowed its sender yet.").last(),
    );
    await look("a notification with its sender");
    await page.getByRole("button", { name: `Block sender ${sender}` }).press("Enter");
    await page.getByText(`${sender} is blocked`).waitFor();
    await page.getByRole("button", { name: "Undo" }).press("Enter");
    await page.getByText(`${sender} is no longer blocked`).waitFor();
    await page.getByRole("link", { name: "Show held mail" }).press("Enter");
    const mail = heldMail(page);
    await mail.getByText("You have not allowed the sender at this mask yet.").waitFor();
    await look("a mail of an unknown sender");
    await mail.getByRole("button", { name: "Release" }).press("Enter");
    await page.getByText("No mail is held").waitFor();
    await until("it has arrived", async () => (await arrivedAt(email)) === 1);

    await sendMail(server, address);
    await mail.getByRole("button", { name: "Always allow" }).press("Enter");
    await page.getByText(`The email is being sent, and ${sender} is allowed from now on`).waitFor();
    await until("it has arrived", async () => (await arrivedAt(email)) === 2);
    await sendMail(server, address);
    await until("the next one arrives unasked", async () => (await arrivedAt(email)) === 3);

    await openHeld(visitor);
    const allowed = page.getByRole("region", { name: "Always allowed" });
    await allowed.getByText(sender).waitFor();
    await look("an allowed sender");
    await allowed.getByRole("button", { name: `Remove ${sender}` }).press("Enter");
    await allowed.waitFor({ state: "hidden" });

    await sendMail(server, address);
    await mail.getByRole("button", { name: "Block sender" }).press("Enter");
    const question = page.getByRole("alertdialog", { name: "Block this sender?" });
    await question.getByText(sender).waitFor();
    await look("the question before a sender is blocked");
    await question.getByRole("button", { name: "Block sender" }).press("Enter");
    await page.getByText("No mail is held").waitFor();
    await page.getByRole("region", { name: "Blocked senders" }).getByText(sender).waitFor();
    await look("a blocked sender");
    const refused = await sendMail(server, address).catch((error: Error) => error.message);
    expect(refused).to.include("550 5.7.1 The owner of this address does not take this mail");
    expect(await arrivedAt(email)).to.equal(3);

    await tabLink(page, "Insights").click();
    await page.getByText("2 released, 0 expired").waitFor();
    expect(visitor.complaints).to.deep.equal([]);
  });

  it("is prevented by writing first; correspondents are blocked and forgotten, on a wide and a narrow screen", async () => {
    const visitor = await visitAs("writer@example.org");
    const { page } = visitor;
    const look = (where: string): Promise<void> => expectAccessible(page, where);
    const address = await createMask(page, "Corner Shop");
    await page.getByRole("button", { name: "Options for Corner Shop" }).press("Enter");
    await page.getByRole("menuitem", { name: "Reply or write" }).press("Enter");
    const dialog = page.getByRole("dialog", { name: "Reply or write from Corner Shop" });
    await dialog.getByText("Nobody yet").waitFor();
    await look("a mask without correspondents");
    await dialog.getByRole("textbox", { name: "Address to write to" }).fill(sender);
    await page.keyboard.press("Enter");
    const row = dialog.getByRole("list", { name: "Correspondents" }).getByRole("listitem");
    await row.getByText("No mail yet").waitFor();
    await look("a correspondent");
    const link = row.getByRole("link", { name: `Write to ${sender}` });
    const reverse = ((await link.getAttribute("href")) ?? "").replace("mailto:", "");
    expect(reverse)
      .to.match(/^[\w-]+@\S+$/)
      .and.not.to.equal(address);
    await expectCopied(row.getByRole("button", { name: /^Copy the address for writing to/ }), reverse);

    await row.getByRole("button", { name: `Block sender ${sender}` }).press("Enter");
    await row.getByText("Blocked").waitFor();
    await look("a blocked correspondent");
    const refused = await sendMail(server, address).catch((error: Error) => error.message);
    expect(refused).to.include("550 5.7.1");
    await row.getByRole("button", { name: `Unblock sender ${sender}` }).press("Enter");
    await row.getByText("Blocked").waitFor({ state: "hidden" });
    const domain = "shop.example.org";
    await row.getByRole("button", { name: `Block domain ${domain}` }).press("Enter");
    await row.getByText(`Blocked: ${domain}`).waitFor();
    await look("a blocked domain");
    expect(await sendMail(server, address).catch((error: Error) => error.message)).to.include("550 5.7.1");
    await page.getByText(`${domain} is blocked`, { exact: true }).waitFor();
    await page.getByRole("button", { name: "Undo" }).last().press("Enter");
    await row.getByText(`Blocked: ${domain}`).waitFor({ state: "hidden" });
    await sendMail(server, address);
    // The focus is on the next toast while there is one.
    await dialog.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    await page.getByRole("button", { name: "Options for Corner Shop" }).press("Enter");
    await page.getByRole("menuitem", { name: "Reply or write" }).press("Enter");
    await row.getByText(/^Last email from them/).waitFor();

    await row.getByRole("button", { name: `Forget ${sender}` }).press("Enter");
    await row.getByText("Your answers to their earlier emails no longer reach them.").waitFor();
    await look("the question before a correspondent is forgotten");
    await row.getByRole("button", { name: "Forget" }).press("Enter");
    await dialog.getByText("Nobody yet").waitFor();
    expect(visitor.complaints).to.deep.equal([]);
  });
});
