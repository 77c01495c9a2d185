import { expect } from "chai";
import { createTransport } from "nodemailer";
import type { Page } from "playwright-core";
import { until } from "../server/support/until.ts";
import { expectAccessible } from "../support/accessible.ts";
import { useProduct } from "./support/product.ts";
import { codeMailedTo, outboxOf } from "./support/server.ts";
import {
  createMask,
  downloadedText,
  openSettings,
  skipTwoFactorSetup,
  type Visitor,
} from "./support/visitor.ts";

const passphrase = "seven quiet boats leave at noon";
const marker = "marker-5c1de0a7";

const close = (page: Page): Promise<void> =>
  page.getByRole("dialog").getByRole("button", { name: "Close" }).click();

const card = (page: Page) => page.getByRole("article", { name: "Email Encryption" });

describe("encryption, in a real browser", () => {
  const { server, visit } = useProduct();
  const enterAddress = async ({ page }: Visitor, email: string, seen?: Set<string>): Promise<void> => {
    await page.getByRole("textbox", { name: "Email address" }).fill(email);
    await page.getByRole("button", { name: "Log in" }).click();
    const code = page.getByRole("textbox", { name: "Verification code" });
    await code.waitFor();
    await code.fill(await codeMailedTo(server, email, seen));
  };

  const send = async (to: string): Promise<void> => {
    const transport = createTransport({ host: "127.0.0.1", port: server.smtpPort, ignoreTLS: true });
    await transport.sendMail({
      envelope: { from: "orders@shop.example.org", to },
      from: "Corner Shop <orders@shop.example.org>",
      to,
      subject: `Order ${marker}`,
      text: `Plain ${marker}\n`,
      html: `<h1>Rich ${marker}</h1><script>window.top.hacked = 1</script><img src="https://tracker.example/x.gif">`,
      attachments: [{ filename: `${marker}.txt`, content: `Attached ${marker}` }],
    });
    transport.close();
  };

  /** Returns the newest mail that was forwarded to an address. */
  const forwardedTo = async (email: string): Promise<string> => {
    let found: string | undefined;
    await until("something encrypted is forwarded", async () => {
      found = (await outboxOf(server)).findLast(
        (mail) => mail.includes(`X-Outbox-To: ${email}`) && mail.includes("multipart/encrypted"),
      );
      return found !== undefined;
    });
    return found ?? "";
  };

  const openInReader = async (page: Page, mail: string): Promise<void> => {
    await card(page).getByRole("button", { name: "Open an email" }).click();
    const reader = page.getByRole("dialog", { name: "Open an email" });
    await reader
      .locator("input[type=file]")
      .setInputFiles({ name: "mail.eml", mimeType: "message/rfc822", buffer: Buffer.from(mail, "latin1") });
  };

  it("is set up during sign-up, and decrypts mail on two devices, on a wide and a narrow screen", async () => {
    const email = "private@example.org";
    const first = await visit();
    const { page } = first;
    const look = (where: string): Promise<void> => expectAccessible(page, where);

    await enterAddress(first, email);
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByRole("heading", { name: "Encrypt your mail" }).waitFor();
    await page.getByRole("button", { name: "Generate Encryption Keys" }).waitFor();
    await page.getByText("What is protected").click();
    await look("the key setup");
    await page.getByRole("button", { name: "Generate Encryption Keys" }).click();
    await page.getByRole("progressbar").waitFor();
    await page.getByLabel("Passphrase for the backup").waitFor();
    await look("the backup");

    await page.getByRole("button", { name: "Switch on encryption" }).click();
    await page.getByText("Save the backup first, then tick this box.").waitFor();
    await page.getByLabel("Passphrase for the backup").fill("password1");
    await page.getByRole("button", { name: "Download backup" }).click();
    await page.getByText(/This is too easy to guess/).waitFor();
    await page.getByLabel("Passphrase for the backup").fill(passphrase);
    await page.getByLabel("Passphrase again").fill(passphrase);
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download backup" }).click();
    const file = await download;
    expect(file.suggestedFilename()).to.match(/^bauta-private-key-[0-9A-F]{8}\.asc$/);
    const backup = await downloadedText(file);
    expect(backup).to.include("-----BEGIN PGP PRIVATE KEY BLOCK-----");
    await page.getByRole("button", { name: "Show as text to print" }).click();
    await page.getByRole("region", { name: "Backup of your private key" }).waitFor();
    await look("the backup as text");
    await page.getByRole("checkbox", { name: /I have saved the backup/ }).check({ force: true });
    await page.getByRole("button", { name: "Switch on encryption" }).click();
    await page.getByRole("heading", { name: "Protect your account" }).waitFor();
    await look("the two-factor step");
    await skipTwoFactorSetup(page);
    await page.getByText("Encryption keys set up successfully").waitFor();

    const mask = await createMask(page, "Shop");
    await send(mask);
    const mail = await forwardedTo(email);
    expect(mail).not.to.include(marker);
    for (const one of await outboxOf(server)) expect(one).not.to.include(marker);
    expect(server.output()).not.to.include(marker);

    await openSettings(page, "security");
    await card(page).getByText("Configured", { exact: true }).waitFor();
    await look("the settings with encryption on");
    await openInReader(page, mail);
    await page.getByRole("heading", { name: `Order ${marker}` }).waitFor();
    await page.getByText("Was encrypted").waitFor();
    await page.getByText(/A picture was left out/).waitFor();
    await page
      .frameLocator("iframe")
      .getByRole("heading", { name: `Rich ${marker}` })
      .waitFor();
    await page.getByText(`${marker}.txt`).waitFor();
    await page.getByRole("button", { name: "Show plain text" }).click();
    await page.getByText(`Plain ${marker}`).waitFor();
    await look("an opened mail");
    await close(page);

    const second = await visit();
    await enterAddress(second, email, new Set([await codeMailedTo(server, email)]));
    await second.page.getByRole("heading", { name: "Your Email Masks" }).waitFor();
    await openSettings(second.page, "security");
    await card(second.page)
      .getByText(/The private key is on another device/)
      .waitFor();
    await openInReader(second.page, mail);
    await second.page.getByText(/This device does not hold the key/).waitFor();
    await close(second.page);
    await card(second.page).getByRole("button", { name: "Import a backup" }).click();
    await second.page
      .getByRole("dialog", { name: "Import a backup" })
      .locator("input[type=file]")
      .setInputFiles({ name: "backup.asc", mimeType: "text/plain", buffer: Buffer.from(backup) });
    await second.page.getByLabel("Passphrase of the backup").fill("not this one");
    await second.page.getByRole("button", { name: "Import the key" }).click();
    await second.page.getByText(/This passphrase does not open the backup/).waitFor();
    await expectAccessible(second.page, "a wrong passphrase");
    await second.page.getByLabel("Passphrase of the backup").fill(passphrase);
    await second.page.getByRole("button", { name: "Import the key" }).click();
    await second.page.getByText("This device can open your mail now.").waitFor();
    await second.page.getByRole("button", { name: "Done" }).click();
    await openInReader(second.page, mail);
    await second.page.getByRole("heading", { name: `Order ${marker}` }).waitFor();

    expect([...first.complaints, ...second.complaints]).to.deep.equal([]);
  });
});
