import { expect } from "chai";
import type { Page } from "playwright-core";
import { type DnsStub, startDnsStub } from "../server/support/dnsStub.ts";
import { expectAccessible } from "../support/accessible.ts";
import { tabLink } from "../support/tabLink.ts";
import { sendMail } from "./support/mail.ts";
import { useProduct } from "./support/product.ts";
import { loadAt, openSettings, pressUntil } from "./support/visitor.ts";

describe("A domain of one's own, in a real browser", () => {
  let dns: DnsStub;
  before(async () => {
    dns = await startDnsStub({});
  });
  after(() => dns.close());
  const { visitAs, server } = useProduct(() => ({ DNS_SERVER: dns.address, MASK_DOMAIN: "masks.example" }));

  /** Makes the records that the window shows. */
  const makeRecords = async (page: Page): Promise<void> => {
    const rows = page.getByRole("list", { name: "Records" }).getByRole("listitem");
    for (const row of await rows.all()) {
      const type = (await row.textContent())?.includes("MX record") ? "MX" : "TXT";
      const [name = "", value = ""] = await row
        .locator("[data-copy]")
        .evaluateAll((buttons) => buttons.map((button) => button.textContent ?? ""));
      const known = dns.zone[name];
      const records = typeof known === "object" ? known : {};
      const before = records[type];
      dns.zone = {
        ...dns.zone,
        [name]: { ...records, [type]: [...(typeof before === "object" ? before : []), value] },
      };
    }
  };

  it("is added, proven, set up, and gets masks from mail, by keyboard, on a wide and a narrow screen", async () => {
    const name = "own.example";
    const visitor = await visitAs("domains@example.org");
    const { page } = visitor;
    await loadAt(page, `${server.url}/#settings/domains`);
    await page.getByText("No domains yet").waitFor();
    await expectAccessible(page, "no domains");
    await page.getByRole("button", { name: "Add domain" }).press("Enter");
    const form = page.getByRole("dialog", { name: "Add domain" });
    const field = form.getByRole("textbox", { name: "Domain" });
    await field.fill("co.uk");
    await field.press("Enter");
    await form.getByText(/shared by many people/).waitFor();
    await expectAccessible(page, "the form of a domain");
    await field.fill(name);
    await field.press("Enter");
    const window = page.getByRole("dialog", { name });
    await window.getByText(/Mail arrives once the proof is found/).waitFor();
    await expectAccessible(page, "the records of a domain");
    const proof = window.getByRole("button", { name: /Copy the value of the Proof record/ });
    await proof.press("Enter");
    expect(await page.evaluate(() => navigator.clipboard.readText())).to.match(/^bauta-verification=\w+$/);
    await makeRecords(page);
    const again = window.getByRole("button", { name: "Check again" });
    const ready = window.getByText(`Mail to ${name} comes here.`);
    await pressUntil(again, ready);
    await window.getByRole("radio", { name: "Some names" }).check();
    await window.getByRole("textbox", { name: "Names" }).fill("shop-*");
    await window.getByRole("checkbox", { name: "Approve senders first" }).press("Space");
    await expectAccessible(page, "a domain that is ready");
    await window.getByRole("button", { name: "Save" }).press("Enter");
    await page.getByText(/shop-\* create masks, approved first/).waitFor({ state: "attached" });
    const address = page.url();
    await window.getByRole("button", { name: "Done" }).press("Enter");
    await window.waitFor({ state: "hidden" });
    await expectAccessible(page, "the domains");

    await tabLink(page, "Masks").press("Enter");
    await page.getByRole("heading", { name: "Your Email Masks" }).waitFor();
    await sendMail(server, `shop-1@${name}`);
    await page.getByRole("button", { name: `Copy shop-1@${name}` }).waitFor();

    await openSettings(page, "data");
    const chooser = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Import masks" }).click();
    const file = `alias,note,enabled,mailboxes\nbooks@${name},Books,true,\nx@elsewhere.example,X,true,\n`;
    await (await chooser).setFiles({ name: "a.csv", mimeType: "text/csv", buffer: Buffer.from(file) });
    await page.getByText("2 masks to import, 0 skipped. 1 keeps its address.").waitFor();
    await page.getByText(/Masks of elsewhere\.example \(1\) get new addresses\./).waitFor();
    await expectAccessible(page, "the preview of an import that keeps addresses");
    await page.getByRole("button", { name: "Import 2 masks" }).click();
    await page.getByText("2 masks imported, 0 failed, 0 skipped.").waitFor();
    await page.getByText(`books@${name}`, { exact: true }).waitFor();

    await page.goto(address);
    await ready.waitFor();
    await page.reload();
    await ready.waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: `Remove: ${name}` }).press("Enter");
    const question = page.getByRole("alertdialog", { name: `Remove ${name}?` });
    await question.getByText(/Its 2 masks stop at once/).waitFor();
    await expectAccessible(page, "the removal of a domain");
    await question.getByRole("button", { name: "Remove", exact: true }).press("Enter");
    await page.getByText("No domains yet").waitFor();
    expect(visitor.complaints).to.deep.equal([]);
  });
});
