import { expect } from "chai";
import type { Page } from "playwright-core";
import { type DnsStub, startDnsStub } from "../server/support/dnsStub.ts";
import { until } from "../server/support/until.ts";
import { expectAccessible } from "../support/accessible.ts";
import { sendMail } from "./support/mail.ts";
import { useProduct } from "./support/product.ts";
import { outboxOf } from "./support/server.ts";
import { createMask, maskCard } from "./support/visitor.ts";

const subject = "Your order is on its way";
const domain = "shop.example.org";

describe("mail that its domain asks to quarantine, in a real browser", () => {
  let dns: DnsStub;
  before(async () => {
    dns = await startDnsStub({
      [domain]: { TXT: ["v=spf1 -all"] },
      [`_dmarc.${domain}`]: { TXT: ["v=DMARC1; p=quarantine"] },
    });
  });
  after(() => dns.close());
  // Without trusted networks mail from this machine is judged as that of strangers.
  const { server, visitAs } = useProduct(() => ({ DNS_SERVER: dns.address, TRUSTED_NETWORKS: "none" }));

  /** The mails of the shop that reached an address. */
  const arrivedAt = async (email: string): Promise<readonly string[]> =>
    (await outboxOf(server)).filter(
      (mail) => mail.includes(`X-Outbox-To: ${email}`) && mail.includes(subject),
    );
  const heldMail = (page: Page) =>
    page
      .getByRole("list", { name: "Held mail" })
      .getByRole("listitem")
      .filter({ has: page.getByRole("heading", { name: subject }) });
  const focused = (page: Page): Promise<string | null> =>
    page.evaluate(() => document.activeElement?.textContent ?? null);

  it("is held with the reason, released and deleted by keyboard, on a wide and a narrow screen", async () => {
    const email = "wary@example.org";
    const visitor = await visitAs(email);
    const { page } = visitor;
    const look = (where: string): Promise<void> => expectAccessible(page, where);
    const address = await createMask(page, "Corner Shop");

    await sendMail(server, address);
    await page.getByRole("button", { name: "Notifications, 1 unread" }).press("Enter");
    await page.getByText("Mail to “Corner Shop” is held, because its sender is suspicious.").last().waitFor();
    await look("the notification about a suspicious mail");
    await page.getByRole("link", { name: "Show held mail" }).press("Enter");
    await page.getByRole("heading", { name: "Held mail", level: 1 }).waitFor();
    const mail = heldMail(page);
    await mail
      .getByText(
        `This email does not come from ${domain}, and that domain asks to treat such mail as suspicious (DMARC).`,
      )
      .waitFor();
    await mail.getByText(`Corner Shop (orders@${domain})`).waitFor();
    await mail.getByText(address).waitFor();
    await look("a suspicious mail");
    expect(await arrivedAt(email)).to.deep.equal([]);

    await mail.getByRole("button", { name: "Release" }).press("Enter");
    await page.getByText("No mail is held").waitFor();
    await until("it has arrived", async () => (await arrivedAt(email)).length === 1);
    expect((await arrivedAt(email))[0]).to.contain(`Subject: [Suspicious sender] ${subject}`);

    await sendMail(server, address);
    await mail.getByRole("button", { name: "Delete" }).press("Enter");
    const question = page.getByRole("alertdialog", { name: "Delete this email?" });
    await question.waitFor();
    await look("the question before a suspicious mail is deleted");
    await question.getByRole("button", { name: "Delete" }).press("Enter");
    await page.getByText("No mail is held").waitFor();
    await question.waitFor({ state: "hidden" });
    await until("the focus is on the page", async () => (await focused(page)) === "Held mail");
    await look("no suspicious mail any more");
    expect(await arrivedAt(email)).to.have.length(1);

    await page.getByRole("link", { name: "Back" }).press("Enter");
    await maskCard(page, "Corner Shop").waitFor();
    expect(visitor.complaints).to.deep.equal([]);
  });
});
