import { expect } from "chai";
import { createTransport } from "nodemailer";
import { type DnsStub, startDnsStub } from "../server/support/dnsStub.ts";
import { until } from "../server/support/until.ts";
import { expectAccessible } from "../support/accessible.ts";
import { tabLink } from "../support/tabLink.ts";
import { sendMail } from "./support/mail.ts";
import { useProduct } from "./support/product.ts";
import { mailInOutbox, outboxOf } from "./support/server.ts";
import { createMask, maskCard, pressUntil } from "./support/visitor.ts";

describe("replies through a mask, in a real browser", () => {
  let dns: DnsStub;
  before(async () => {
    const fromHere = { TXT: ["v=spf1 ip4:127.0.0.1 -all"] };
    dns = await startDnsStub({ "home.example": fromHere, "shop.example.org": fromHere });
  });
  after(() => dns.close());
  const { server, visitAs } = useProduct(() => ({ DNS_SERVER: dns.address, TRUSTED_NETWORKS: "none" }));

  /** Sends an answer as the owner's provider does; returns the refusal, empty for none. */
  const answer = async (from: string, to: string, cc?: string): Promise<string> => {
    const transport = createTransport({ host: "127.0.0.1", port: server.smtpPort, ignoreTLS: true });
    const mail = { from, to, ...(cc && { cc }), subject: "Re: Your order", text: "Thank you.\n" };
    const refusal = await transport.sendMail({ ...mail, envelope: { from, to } }).then(
      () => "",
      (error: Error) => error.message,
    );
    transport.close();
    return refusal;
  };

  it("are counted on the card and in the Insights, and refused ones are explained, on a wide and a narrow screen", async () => {
    const email = "ada@home.example";
    const visitor = await visitAs(email);
    const { page } = visitor;
    const look = (where: string): Promise<void> => expectAccessible(page, where);
    const address = await createMask(page, "Corner Shop");
    await sendMail(server, address);
    const forwarded = await mailInOutbox(server, `X-Bauta-Mask: ${address}`);
    const [, reverse = ""] =
      /^From: .*?<(re-[a-z2-7]+@[^>]+)>/m.exec(forwarded.replace(/\r\n[ \t]/g, " ")) ?? [];

    expect(await answer(email, reverse)).to.equal("");
    const sent = () =>
      outboxOf(server).then((mails) =>
        mails.filter(
          (mail) => mail.includes("X-Outbox-To: orders@shop.example.org") && mail.includes(address),
        ),
      );
    await until("the shop has the answer", async () => (await sent()).length === 1);
    expect((await sent())[0]).not.to.include("home.example");
    const figure = maskCard(page, "Corner Shop").getByRole("term").filter({ hasText: "Replied" });
    await figure.locator("xpath=..").getByText("1", { exact: true }).waitFor();
    await look("a card with a reply");

    expect(await answer(email, reverse, "stranger@elsewhere.example")).to.include("550 5.7.1 BAUTA-R6");
    await page.getByRole("button", { name: "Notifications, 1 unread" }).waitFor();
    await pressUntil(
      page.getByRole("button", { name: /^Notifications/ }),
      page.getByText(/^A reply was not sent \(BAUTA-R6\): its To or Cc names somebody/).last(),
    );
    await look("the notification of a refused reply");
    const opened = page.context().waitForEvent("page");
    await page.getByRole("link", { name: "What BAUTA-R6 means" }).press("Enter");
    const help = await opened;
    await help.getByRole("heading", { name: "BAUTA-R6" }).waitFor();
    expect(new URL(help.url()).hash).to.equal("#BAUTA-R6");
    await expectAccessible(help, "the help about refused replies");
    await help.close();
    await page.keyboard.press("Escape");

    await tabLink(page, "Insights").click();
    const replied = page.getByText("Replied", { exact: true }).locator("xpath=..");
    await replied.getByText("1", { exact: true }).first().waitFor();
    await look("the Insights with a reply");
    const usage = await page.evaluate(async () => {
      const headers = { authorization: `Bearer ${localStorage.getItem("authToken")}` };
      return (await (await fetch("/account", { headers })).json()).usage.emails.replied as number;
    });
    expect(usage).to.equal(1);
    expect(visitor.complaints).to.deep.equal([]);
  });
});
