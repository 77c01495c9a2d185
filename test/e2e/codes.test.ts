import { expect } from "chai";
import type { Page } from "playwright-core";
import type { MailCode } from "../../core/mail/mailCode.ts";
import { expectAccessible } from "../support/accessible.ts";
import { openAccountApi } from "./support/accountApi.ts";
import { sendMail } from "./support/mail.ts";
import { useProduct } from "./support/product.ts";
import { createMask, expectCopied, loadAt, maskCard, setUpKey } from "./support/visitor.ts";

const login = (code: string) => ({
  subject: "Your sign-in code",
  html: `<p>Your sign-in code:</p><table><tr><td>${code}</td></tr></table><p>It expires in 10 minutes.</p>`,
});

/** Switches on "Show codes at once" of a mask, by keyboard. */
const showCodes = async (page: Page, description: string): Promise<void> => {
  await page.getByRole("button", { name: `Options for ${description}` }).press("Enter");
  await page.getByRole("menuitem", { name: "Edit mask" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Edit Mask" });
  await dialog.getByRole("checkbox", { name: "Show codes at once" }).press("Space");
  // The dialog closes at once; mail that comes before the answer is one to a mask without codes.
  const saved = page.waitForResponse((answer) => answer.request().method() === "PUT" && answer.ok());
  await dialog.getByRole("button", { name: "Save Changes" }).press("Enter");
  await dialog.waitFor({ state: "hidden" });
  await saved;
};

describe("Codes in mail, in a real browser", () => {
  const { server, visitAs } = useProduct();

  it("come by SMTP to the mask's card and to a token, and are copied once", async () => {
    const visitor = await visitAs("codes@example.org");
    const { page, context } = visitor;
    const address = await createMask(page, "Corner Shop");
    await showCodes(page, "Corner Shop");
    const account = await openAccountApi(server, await context.storageState());
    const { token } = await account.send<{ readonly token: string }>("POST", "/account/api-tokens", {
      name: "Script",
      scopes: ["masks:read", "codes:read:all"],
      domain: null,
      lifetimeDays: 30,
    });
    await account.leave();
    const read = async (): Promise<readonly MailCode[]> => {
      const answer = await fetch(`${server.url}/codes`, { headers: { Authorization: `Bearer ${token}` } });
      return ((await answer.json()) as { readonly codes: readonly MailCode[] }).codes;
    };
    await sendMail(server, address, login("482 913"));
    const codes = maskCard(page, "Corner Shop").getByRole("list", { name: "Codes of Corner Shop" });
    const copy = codes.getByRole("button", { name: "Copy the code 482913" });
    await copy.waitFor();
    await expectAccessible(page, "a code on the card of its mask");
    expect((await read()).map(({ code, sender }) => [code, sender])).to.eql([["482913", "shop.example.org"]]);
    const used = page.waitForResponse((answer) => answer.request().method() === "DELETE");
    await copy.press("Enter");
    await expectCopied(copy, "482913");
    await used;
    expect(await read()).to.eql([]);
    expect(visitor.complaints).to.deep.equal([]);
  });

  it("are opened by the key of the account on the page, and sealed for everybody else", async () => {
    const visitor = await visitAs("sealed@example.org");
    const { page } = visitor;
    const address = await createMask(page, "Bank");
    await loadAt(page, `${server.url}/#settings/security/encryption`);
    const card = page.getByRole("article", { name: "Email Encryption" });
    await setUpKey(card, "orange-paper-window-seven");
    await loadAt(page, `${server.url}/#masks`);
    await showCodes(page, "Bank");
    await sendMail(server, address, login("773104"));
    await maskCard(page, "Bank").getByRole("button", { name: "Copy the code 773104" }).waitFor();
    await page.getByText("Code from shop.example.org: 773104").waitFor();
    // A page that asks again at the same time would give an answer that the reload takes away.
    await page.reload({ waitUntil: "commit" });
    const answer = await page.waitForResponse((one) => new URL(one.url()).pathname === "/codes");
    const { codes } = (await answer.json()) as { readonly codes: readonly MailCode[] };
    expect(codes.map(({ code, sealed = "" }) => [code, sealed.length > 0])).to.eql([[undefined, true]]);
    expect(visitor.complaints).to.deep.equal([]);
  });
});
