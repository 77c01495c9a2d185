import "../../../../support/dom.ts";
// Lazily loaded by the app; imported here so that loading it takes no time in the test.
import "../../../../../web/features/encryption/KeySetupScreen.tsx";
import "../../../../../web/features/session/twoFactor/TwoFactorSetupScreen.tsx";
import { screen } from "@testing-library/react";
import { expect } from "chai";
import { createUser } from "../../../../fakes/productServer.ts";
import { authenticatorCode } from "../../../../fakes/productTwoFactor.ts";
import { useDom } from "../../../../support/jsdom.ts";
import { closePages, type OpenPage, openPage } from "../../../support/openPage.tsx";
import { atTheCode, email, enter } from "../../../support/signIn.ts";

const noKey = { user: createUser(email, { keyStatus: "not-configured" }) };

describe("The two-factor step of a sign-up (SI16)", () => {
  useDom();
  afterEach(closePages);

  const signUp = async (options: Parameters<typeof atTheCode>[0] = {}): Promise<OpenPage> => {
    const page = await atTheCode({ isNew: true, ...options });
    await enter(page, "Verification code", "123456");
    await screen.findByRole("heading", { name: "Choose a plan" });
    await page.advance(500);
    await page.press("Continue with Free");
    return page;
  };
  const isOffered = () => screen.findByRole("heading", { name: "Protect your account" });
  const isMasks = () => screen.findByRole("heading", { name: "Your Email Masks" });

  it("follows the key setup, and leads to the masks by Not now", async () => {
    const page = await signUp(noKey);
    await screen.findByRole("heading", { name: "Encrypt your mail" });
    await page.press("Not now");
    await isOffered();
    await page.press("Not now");
    await isMasks();
  });

  it("sets the second factor up by the steps of the settings (SG2)", async () => {
    const page = await signUp();
    await isOffered();
    await page.press("Setup 2FA");
    await page.press("Cancel");
    await page.press("Setup 2FA");
    await page.press("Continue");
    await page.type(/^Verification code/, authenticatorCode);
    await page.press("Verify & Activate");
    await page.user.click(await screen.findByRole("checkbox", { name: "I have saved my recovery codes" }));
    await page.press("Done");
    await isMasks();
    expect(page.app.account.account$.value?.twoFactor.enabled).to.equal(true);
  });

  it("is shown again after a reload of the tab, and once it is passed no more", async () => {
    const page = await signUp();
    await isOffered();
    closePages();
    const again = await openPage({ storage: page.storage, isSignedIn: false });
    await isOffered();
    await again.press("Not now");
    await isMasks();
    closePages();
    await openPage({ storage: page.storage, isSignedIn: false });
    await isMasks();
  });

  it("is not shown to a user who signs in to an account", async () => {
    const page = await atTheCode();
    await enter(page, "Verification code", "123456");
    await isMasks();
    expect(screen.queryByRole("heading", { name: "Protect your account" })).to.equal(null);
  });
});
