import "../../../../support/dom.ts";
import { screen } from "@testing-library/react";
import { expect } from "chai";
import { createUser, rightRecoveryCode } from "../../../../fakes/productServer.ts";
import { useDom } from "../../../../support/jsdom.ts";
import { closePages, type OpenPage } from "../../../support/openPage.tsx";
import { atTheCode, described, email, enter, visit } from "../../../support/signIn.ts";

describe("The two-factor step", () => {
  useDom();
  afterEach(closePages);

  const atTheSecondCode = async (): Promise<OpenPage> => {
    const page = await atTheCode({ user: createUser(email, { twoFactor: { enabled: true } }) });
    await enter(page, "Verification code", "123456");
    await page.advance(500);
    return page;
  };

  it("asks for the second code and signs in with it", async () => {
    const page = await atTheSecondCode();
    expect(document.title).to.equal("Two-factor code · Bauta");
    expect(document.activeElement).to.equal(screen.getByLabelText("2FA code"));
    await enter(page, "2FA code", "654321");
    await screen.findByRole("heading", { name: "Your Email Masks" });
  });

  it("is shown again after a reload, and signs in without another code from a mail", async () => {
    const { storage, clock } = await atTheSecondCode();
    closePages();
    const page = await visit({
      user: createUser(email, { twoFactor: { enabled: true } }),
      storage,
      clock,
    });
    await enter(page, "2FA code", "654321");
    await screen.findByRole("heading", { name: "Your Email Masks" });
    expect(page.server.requestsTo("POST /login")).to.have.length(0);
  });

  for (const [typed, sentence] of [
    ["", "2FA code is required"],
    ["99", "2FA code must be 6 digits"],
  ] as const) {
    it(`shows "${sentence}" beside "${typed}" (SI4)`, async () => {
      const page = await atTheSecondCode();
      if (typed !== "") await enter(page, "2FA code", typed);
      await page.press("Verify");
      expect(described("2FA code")).to.equal(sentence);
    });
  }

  it('shows "Invalid 2FA code" when the server sends no message (SI13)', async () => {
    const page = await atTheSecondCode();
    page.server.on("POST", "/login/verify2fa", { status: 400 });
    await enter(page, "2FA code", "000000");
    expect(described("2FA code")).to.equal("Invalid 2FA code");
  });

  describe("for a user who has lost the authenticator", () => {
    const atTheRecoveryCode = async (): Promise<OpenPage> => {
      const page = await atTheSecondCode();
      await page.press("Use a recovery code");
      return page;
    };

    it("accepts a recovery code in any notation", async () => {
      const page = await atTheRecoveryCode();
      expect(document.activeElement).to.equal(screen.getByLabelText("Recovery code"));
      await enter(page, "Recovery code", rightRecoveryCode.toUpperCase().replace("-", " "));
      await page.press("Verify");
      await screen.findByRole("heading", { name: "Your Email Masks" });
    });

    for (const [typed, sentence] of [
      ["", "Recovery code is required"],
      ["123456", "A recovery code has 10 letters and digits, as in k3v9d-8m2qa"],
    ] as const)
      it(`shows "${sentence}" beside "${typed}"`, async () => {
        const page = await atTheRecoveryCode();
        if (typed !== "") await enter(page, "Recovery code", typed);
        await page.press("Verify");
        expect(described("Recovery code")).to.equal(sentence);
        expect(page.server.requestsTo("POST /login/verify2fa")).to.have.length(0);
      });

    it("returns to the authenticator code on request", async () => {
      const page = await atTheRecoveryCode();
      await page.press("Use your authenticator app");
      await enter(page, "2FA code", "654321");
      await screen.findByRole("heading", { name: "Your Email Masks" });
    });
  });
});
