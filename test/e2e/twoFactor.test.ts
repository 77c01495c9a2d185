import { expect } from "chai";
import type { Page } from "playwright-core";
import { codeAt } from "../server/support/authenticator.ts";
import { expectAccessible } from "../support/accessible.ts";
import { useProduct } from "./support/product.ts";
import { codeMailedTo } from "./support/server.ts";
import {
  downloadedText,
  expectCopied,
  openSettings,
  pressUntil,
  shownSecret,
  signOut,
  skipKeySetup,
  type Visitor,
} from "./support/visitor.ts";

const openSecurity = async (page: Page): Promise<void> => {
  await openSettings(page, "security");
  await page.getByRole("article", { name: "Two-Factor Authentication" }).waitFor();
};

const card = (page: Page) => page.getByRole("article", { name: "Two-Factor Authentication" });

describe("two-factor authentication, in a real browser", () => {
  const { server, visit, visitAs } = useProduct();

  /** Signs in up to the second factor; "seen" distinguishes earlier codes from the new one. */
  const enterMailedCode = async ({ page }: Visitor, email: string, seen: Set<string>): Promise<void> => {
    seen.add(await codeMailedTo(server, email));
    await page.getByRole("textbox", { name: "Email address" }).fill(email);
    const box = page.getByRole("textbox", { name: "Verification code" });
    await pressUntil(page.getByRole("button", { name: "Log in" }), box);
    await box.fill(await codeMailedTo(server, email, seen));
  };

  it("is switched on, required, recovered and switched off on a wide and a narrow screen", async () => {
    const email = "careful@example.org";
    const visitor = await visitAs(email);
    const { page } = visitor;
    const seen = new Set<string>();
    const look = (where: string): Promise<void> => expectAccessible(page, where);
    await openSecurity(page);
    await page.getByText("This device", { exact: true }).waitFor();
    await look("the settings");

    await card(page).getByRole("button", { name: "Setup 2FA" }).click();
    await page.getByRole("dialog", { name: "Set up two-factor authentication" }).waitFor();
    await look("the intro");
    await page.getByRole("button", { name: "Continue" }).click();
    const scan = page.getByRole("dialog", { name: "Scan the QR code" });
    await scan.getByRole("img", { name: /QR code/ }).waitFor();
    await look("the scan");
    const secret = await shownSecret(page);
    await expectCopied(scan.getByRole("button", { name: /Copy secret key/ }), secret);
    await scan.getByRole("textbox", { name: "Verification code" }).fill(codeAt(secret, Date.now()));
    await scan.getByRole("button", { name: "Verify & Activate" }).click();

    const done = page.getByRole("dialog", { name: "Two-factor authentication is on" });
    await done.waitFor();
    const codes = await done
      .getByRole("list", { name: "Recovery codes" })
      .getByRole("listitem")
      .allInnerTexts();
    expect(codes).to.have.length(10);
    await look("the recovery codes");
    const download = page.waitForEvent("download");
    await done.getByRole("button", { name: "Download" }).click();
    const file = await downloadedText(await download);
    for (const code of codes) expect(file).to.include(code);
    await page.emulateMedia({ media: "print" });
    await done.getByRole("heading").waitFor({ state: "hidden" });
    expect(await done.getByText(codes[9] ?? "").isVisible(), "on paper there are the codes").to.equal(true);
    await page.emulateMedia({ media: "screen" });
    await done.getByRole("heading").waitFor();
    await page.getByText("Logged in successfully").waitFor({ state: "hidden" });
    await done.getByRole("checkbox", { name: "I have saved my recovery codes" }).check({ force: true });
    await done.getByRole("button", { name: "Done" }).click();
    await done.waitFor({ state: "hidden" });
    await card(page).getByText("Enabled").waitFor();
    await card(page).getByText("10 recovery codes left.").waitFor();
    await look("the settings with two-factor authentication on");

    await signOut(page);
    await enterMailedCode(visitor, email, seen);
    const factor = page.getByRole("textbox", { name: "2FA code" });
    await factor.waitFor();
    await look("the second factor");
    await factor.fill(codeAt(secret, Date.now() + 30_000));
    await skipKeySetup(page);

    await signOut(page);
    await enterMailedCode(visitor, email, seen);
    await page.getByRole("button", { name: "Use a recovery code" }).click();
    await page.getByRole("textbox", { name: "Recovery code" }).fill((codes[0] ?? "").toUpperCase());
    await look("the recovery code");
    await pressUntil(
      page.getByRole("button", { name: "Verify" }),
      page.getByRole("heading", { name: "Encrypt your mail" }),
    );
    await skipKeySetup(page);

    await openSecurity(page);
    await card(page).getByText("9 recovery codes left.").waitFor();
    await card(page).getByRole("button", { name: "Switch off" }).click();
    const question = page.getByRole("dialog", { name: "Switch off two-factor authentication?" });
    await question.waitFor();
    await look("the question before it is switched off");
    await question.getByRole("textbox", { name: "2FA code" }).fill(codes[1] ?? "");
    await question.getByRole("button", { name: "Switch off" }).click();
    await card(page).getByText("Not enabled").waitFor();

    await signOut(page);
    await enterMailedCode(visitor, email, seen);
    await skipKeySetup(page);
    expect(visitor.complaints).to.deep.equal([]);
  });

  it("ends a session of another device, which is notified at once", async () => {
    const email = "two.places@example.org";
    const here = await visitAs(email);
    const there = await visit({ theme: "dark", width: 360 });
    await enterMailedCode(there, email, new Set());
    await skipKeySetup(there.page);
    await openSecurity(here.page);
    await here.page.getByRole("button", { name: /^End session/ }).click();
    await here.page.getByRole("alertdialog").getByRole("button", { name: "End session" }).click();
    await here.page.getByText("Session ended").waitFor();
    await there.page.getByRole("heading", { name: "Sign in to Bauta" }).waitFor();
  });
});
