import { expect } from "chai";
import { type DnsStub, startDnsStub } from "../server/support/dnsStub.ts";
import { expectAccessible } from "../support/accessible.ts";
import { fourScreens } from "../support/screens.ts";
import { tabLink } from "../support/tabLink.ts";
import { sendMail } from "./support/mail.ts";
import { useProduct } from "./support/product.ts";
import { createMask, type Visitor } from "./support/visitor.ts";

describe("the operator's page, in a real browser", () => {
  let dns: DnsStub;
  before(async () => {
    dns = await startDnsStub({});
  });
  after(() => dns?.close());
  const { server, visitAs } = useProduct(() => ({
    DNS_SERVER: dns.address,
    MASK_DOMAIN: "m.example",
    PUBLIC_URL: "http://app.m.example",
    SIGN_UP: "open",
    OPERATORS: "dns@example.org,address@example.org,screens@example.org",
  }));

  const openPage = async (address: string): Promise<Visitor> => {
    const visitor = await visitAs(address);
    const { page } = visitor;
    await sendMail(server, await createMask(page, "Shop"));
    await tabLink(page, "Account").click();
    await page.getByRole("link", { name: "Open the operator's page" }).press("Enter");
    await page.getByRole("heading", { name: "Operator", level: 1 }).waitFor();
    await page.getByRole("region", { name: "Mail" }).getByRole("table").waitFor();
    return visitor;
  };

  it("shows how the server does on a wide and a narrow screen, also after a reload", async () => {
    const { page, complaints } = await openPage("screens@example.org");
    const records = page.getByRole("region", { name: "DNS records" });
    await records.getByText("Create the record m.example MX 10 m.example.").waitFor();
    await expectAccessible(page, "the operator's page", fourScreens);

    await page.reload();
    await page.getByRole("heading", { name: "Operator", level: 1 }).waitFor();
    await page.getByRole("link", { name: "Back to your account" }).press("Enter");
    await page.getByRole("heading", { name: "Your Account", level: 1 }).waitFor();
    await tabLink(page, "Masks").click();
    await page.getByRole("heading", { name: "Your Email Masks" }).waitFor();
    expect(complaints).to.deep.equal([]);
  });

  it("has an address, and is left by the Account tab and by the back button", async () => {
    const { page } = await openPage("address@example.org");
    const operator = page.getByRole("heading", { name: "Operator", level: 1 });
    const account = page.getByRole("heading", { name: "Your Account", level: 1 });
    await tabLink(page, "Account").click();
    await account.waitFor();
    expect(await page.title()).to.match(/^Account/);
    await page.goBack();
    await operator.waitFor();
    expect(await page.title()).to.match(/^Operator/);
    await page.goBack();
    await account.waitFor();
    await page.goto(`${server.url}/operator`);
    await operator.waitFor();
    await tabLink(page, "Masks").click();
    await page.getByRole("heading", { name: "Your Email Masks" }).waitFor();
    expect(new URL(page.url()).pathname).to.equal("/");
  });

  it("shows DNS records as they arrive", async () => {
    const { page } = await openPage("dns@example.org");
    const record = page.getByRole("listitem").filter({ hasText: "MX of m.example" });
    await record.getByText("Problem").waitFor();
    dns.zone = { "m.example": { MX: ["10 m.example"] } };
    await record.getByText("OK").waitFor();
  });
});
