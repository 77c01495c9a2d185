import { expect } from "chai";
import { expectAccessible } from "../support/accessible.ts";
import { tabLink } from "../support/tabLink.ts";
import { sendMail } from "./support/mail.ts";
import { useProduct } from "./support/product.ts";
import { createMask, openSettings, setUpKey } from "./support/visitor.ts";

const passphrase = "seven quiet boats leave at noon";
const keep = "Keep my last emails for 24 hours to test rules";

describe("the last mails, in a real browser", () => {
  const { server, visitAs } = useProduct();

  it("are kept with a key, tested on the rules, unreadable without the key, and deleted when that is switched off", async () => {
    const visitor = await visitAs("last@example.org");
    const { page } = visitor;
    const address = await createMask(page, "Corner Shop");
    const openTest = async (): Promise<void> => {
      await tabLink(page, "Rules").click();
      await page.getByRole("button", { name: "Test an email" }).click();
      await page.getByRole("switch", { name: keep }).waitFor();
    };
    await openTest();
    const toggle = page.getByRole("switch", { name: keep });
    expect(await toggle.isDisabled()).to.equal(true);
    await page.getByText("Mail is kept only if it can be encrypted").waitFor();
    await expectAccessible(page, "the test of a mail without a key");

    await page.getByRole("link", { name: "Key settings" }).click();
    const card = page.getByRole("article", { name: "Email Encryption" });
    await setUpKey(card, passphrase);

    await openTest();
    await toggle.press("Space");
    await page.getByText("No mail of the last 24 hours is kept for this mask yet.").waitFor();
    await sendMail(server, address);
    const choice = page.getByRole("button", { name: /One of the last emails/ });
    await choice.waitFor();
    await expectAccessible(page, "the last mails");
    await choice.press("Enter");
    await page.getByRole("option").first().press("Enter");
    await page.getByText("What would happen appears here.").waitFor({ state: "hidden" });
    expect(await page.getByRole("textbox", { name: "Mail", exact: true }).inputValue()).to.contain(
      "Subject: Your order is on its way",
    );
    await expectAccessible(page, "a last mail tested");

    await openSettings(page, "security");
    await card.getByRole("button", { name: "Remove from this device" }).click();
    await page
      .getByRole("alertdialog")
      .getByRole("button", { name: /Remove/ })
      .click();
    await card.getByText(/The private key is on another device/).waitFor();
    await openTest();
    await choice.press("Enter");
    await page.getByRole("option").first().press("Enter");
    await page.getByText("This device does not hold the key that this email is encrypted to.").waitFor();
    await expectAccessible(page, "a last mail without its key");

    await toggle.press("Space");
    await page
      .getByRole("alertdialog", { name: "Stop keeping mail?" })
      .getByRole("button", { name: "Switch off and delete" })
      .click();
    await choice.waitFor({ state: "hidden" });
    await toggle.and(page.getByRole("switch", { checked: false })).waitFor();
    expect(visitor.complaints).to.deep.equal([]);
  });
});
