import "../../../support/dom.ts";
// Lazily loaded by the app; imported here so that loading them takes no time in the test.
import "../../../../web/features/session/EndSessionDialog.tsx";
import "../../../../web/features/session/twoFactor/TwoFactorDialog.tsx";
import { screen, waitFor, within } from "@testing-library/react";
import { expect } from "chai";
import { createUser } from "../../../fakes/productServer.ts";
import { authenticatorCode, authenticatorSecret, recoveryCodesOf } from "../../../fakes/productTwoFactor.ts";
import { useDom } from "../../../support/jsdom.ts";
import { beginning, closePages, type OpenPage } from "../../support/openPage.tsx";
import { openSettings, openTab } from "../../support/openTab.ts";
import { described } from "../../support/signIn.ts";

const enabled = { user: createUser("ada@example.org", { twoFactor: { enabled: true } }) };

const openSecurity = async (options: Parameters<typeof openTab>[1] = {}) => {
  const page = await openSettings("Security", options);
  await page.act(() => {});
  const card = within(await screen.findByRole("article", { name: "Two-Factor Authentication" }));
  return { ...page, card };
};

const enter = async (page: OpenPage, label: string, text: string): Promise<void> => {
  await page.user.type(screen.getByLabelText(label), text);
  await page.act(() => {});
};

const window = (name: string) => screen.findByRole("dialog", { name });

describe("The settings tab", () => {
  useDom();
  afterEach(closePages);

  it("lets the user choose how senders are shown", async () => {
    const { panel, user, server } = await openSettings("Mail");
    await user.click(await panel.findByRole("button", { name: /Show the sender as/ }));
    await user.click(await screen.findByRole("option", { name: /Address only/ }));
    expect(server.requestsTo("PUT /account/profile").map(({ body }) => body)).to.deep.equal([
      { senderShown: "address" },
    ]);
    expect(panel.getByRole("button", { name: /Show the sender as/ }).textContent).to.contain("Address only");
  });

  it("lets the user choose links in forwarded mail, which has none at first", async () => {
    const { panel, user, server } = await openSettings("Mail");
    const links = await panel.findByRole("button", { name: /Links in forwarded mail/ });
    expect(links.textContent).to.contain("No links");
    await user.click(links);
    await user.click(await screen.findByRole("option", { name: /Below the text/ }));
    expect(server.requestsTo("PUT /account/profile").map(({ body }) => body)).to.deep.equal([
      { actionLinks: "footer" },
    ]);
    expect(links.textContent).to.contain("Below the text");
  });

  it("lets the user choose that mailing lists are left through the mask", async () => {
    const { panel, user, server } = await openSettings("Mail");
    const choice = await panel.findByRole("button", { name: /Unsubscribe/ });
    expect(choice.textContent).to.contain("Unchanged");
    await user.click(choice);
    await user.click(await screen.findByRole("option", { name: /Through the mask, then/ }));
    expect(server.requestsTo("PUT /account/profile").map(({ body }) => body)).to.deep.equal([
      { unsubscribe: "through-mask-and-switch-off" },
    ]);
    expect(choice.textContent).to.contain("Through the mask, then switch it off");
  });

  it("lets the user choose what the addresses of new masks are made of", async () => {
    const { panel, user, server } = await openSettings("Masks", {
      user: Object.assign(createUser("ada@example.org"), {
        settings: { maskFormat: { kind: "letters", length: 20 } },
      }),
    });
    const format = await panel.findByRole("button", { name: /Addresses of new masks/ });
    expect(format.textContent).to.contain("Letters and digits");
    expect(panel.getByRole("button", { name: /Number of characters/ }).textContent).to.contain("20");
    await user.click(format);
    await user.click(await screen.findByRole("option", { name: /Words/ }));
    expect(server.requestsTo("PUT /account/profile").map(({ body }) => body)).to.deep.equal([
      { maskFormat: { kind: "words", length: 4 } },
    ]);
    await panel.findByRole("button", { name: /Number of words/ });
  });

  it("says why the addresses of new masks could not be changed", async () => {
    const { panel, user, server } = await openSettings("Masks");
    server.on("PUT", "/account/profile", { status: 500 });
    await user.click(await panel.findByRole("button", { name: /Addresses of new masks/ }));
    await user.click(await screen.findByRole("option", { name: /UUID/ }));
    await panel.findByText(/Server error/);
    expect(panel.getByRole("button", { name: /Addresses of new masks/ }).textContent).to.contain("Letters");
  });

  it("lets the user switch off the notices of held mail", async () => {
    const { panel, user, server } = await openSettings("Mail", {
      user: Object.assign(createUser("ada@example.org"), { settings: { heldNotices: true } }),
    });
    const notices = await panel.findByRole<HTMLInputElement>("switch", { name: "Daily notice of held mail" });
    expect(notices.checked).to.equal(true);
    await user.click(notices);
    expect(server.requestsTo("PUT /account/profile").map(({ body }) => body)).to.deep.equal([
      { heldNotices: false },
    ]);
    await waitFor(() => expect(notices.checked).to.equal(false));
  });

  it("lets the user answer invitations past the mask", async () => {
    const { panel, user, server } = await openSettings("Mail", {
      user: Object.assign(createUser("ada@example.org"), { settings: { calendarsThroughMask: true } }),
    });
    const answers = await panel.findByRole<HTMLInputElement>("switch", {
      name: "Answer invitations through the mask",
    });
    expect(answers.checked).to.equal(true);
    await user.click(answers);
    expect(server.requestsTo("PUT /account/profile").map(({ body }) => body)).to.deep.equal([
      { calendarsThroughMask: false },
    ]);
    await waitFor(() => expect(answers.checked).to.equal(false));
  });

  it("lets the user refuse email with tags", async () => {
    const { panel, user, server } = await openSettings("Mail", {
      user: Object.assign(createUser("ada@example.org"), { settings: { maskTags: true } }),
    });
    const tags = await panel.findByRole<HTMLInputElement>("switch", { name: "Take email with tags" });
    expect(tags.checked).to.equal(true);
    await user.click(tags);
    expect(server.requestsTo("PUT /account/profile").map(({ body }) => body)).to.deep.equal([
      { maskTags: false },
    ]);
    await waitFor(() => expect(tags.checked).to.equal(false));
  });

  it("lets the user choose the theme (SG1)", async () => {
    const { panel, user, page } = await openTab("Settings");
    const dark = panel.getByRole<HTMLInputElement>("switch", { name: "Dark theme" });
    expect(dark.checked).to.equal(false);
    await user.click(dark);
    expect(page.shownTheme()).to.equal("dark");
    expect(dark.checked).to.equal(true);
  });

  describe("shows whether two-factor authentication", () => {
    it('is "Not enabled", with "Setup 2FA" (SG1)', async () => {
      const { card } = await openSecurity();
      card.getByText("Not enabled");
      expect(card.getByRole<HTMLButtonElement>("button", { name: "Setup 2FA" }).disabled).to.equal(false);
      expect(card.queryByRole("button", { name: "Switch off" })).to.equal(null);
    });

    it('is "Enabled", with a disabled "Already Configured" (SG1)', async () => {
      const { card } = await openSecurity(enabled);
      card.getByText("Enabled");
      expect(card.getByRole<HTMLButtonElement>("button", { name: "Already Configured" }).disabled).to.equal(
        true,
      );
      card.getByText("10 recovery codes left.");
    });

    it('is "Loading..." while the account is loading (SG1)', async () => {
      const { card } = await openSecurity({
        before: ({ server }) => server.on("GET", "/account", "silent"),
      });
      card.getByText("Loading...");
      expect(card.getByRole<HTMLButtonElement>("button", { name: "Setup 2FA" }).disabled).to.equal(true);
    });
  });

  it("sets up two-factor authentication: intro, scan, complete (SG2)", async () => {
    const page = await openSecurity();
    await page.press("Setup 2FA");
    await window("Set up two-factor authentication");
    screen.getByRole("button", { name: "Cancel" });
    await page.press("Continue");
    await window("Scan the QR code");
    const picture = screen.getByRole("img", { name: /^QR code/ });
    expect([picture.getAttribute("width"), picture.getAttribute("height")]).to.deep.equal(["200", "200"]);
    await page.press("Copy secret key");
    expect(page.page.clipboard()).to.equal(authenticatorSecret);

    await page.press("Back");
    await window("Set up two-factor authentication");
    await page.press("Continue");
    await page.press("Verify & Activate");
    expect(described("Verification code")).to.include("2FA code is required");
    await enter(page, "Verification code", "111111");
    await page.press("Verify & Activate");
    expect(described("Verification code")).to.include("This code is not right.");
    await page.user.clear(screen.getByLabelText("Verification code"));
    await enter(page, "Verification code", authenticatorCode);
    await page.press("Verify & Activate");

    const done = within(await window("Two-factor authentication is on"));
    expect(done.getAllByRole("listitem").map(({ textContent }) => textContent)).to.deep.equal(
      recoveryCodesOf(0),
    );
    await page.press("Copy");
    expect(page.page.clipboard()).to.equal(recoveryCodesOf(0).join("\n"));
    await page.press("Done");
    done.getByText("Save your recovery codes first, then tick this box.");
    await page.user.keyboard("{Escape}");
    await window("Two-factor authentication is on");
    await page.user.click(done.getByRole("checkbox", { name: "I have saved my recovery codes" }));
    await page.press("Done");
    expect(screen.queryByRole("dialog")).to.equal(null);
    page.card.getByText("Enabled");
    page.card.getByRole("button", { name: "Already Configured" });
  });

  it('shows "Missing required data from server" in place of the intro (SG2)', async () => {
    const page = await openSecurity();
    page.server.on("POST", "/account/2fa/setup", { json: {} });
    await page.press("Setup 2FA");
    await page.press("Continue");
    const intro = within(await window("Set up two-factor authentication"));
    intro.getByText("Missing required data from server");
  });

  it("turns two-factor authentication off with a recovery code", async () => {
    const page = await openSecurity(enabled);
    await page.user.click(page.card.getByRole("button", { name: "Switch off" }));
    await page.act(() => {});
    const question = within(await window("Switch off two-factor authentication?"));
    await enter(page, "2FA code", recoveryCodesOf(0)[0] ?? "");
    await page.user.click(question.getByRole("button", { name: beginning("Switch off") }));
    await page.act(() => {});
    expect(screen.queryByRole("dialog")).to.equal(null);
    page.card.getByText("Not enabled");
    screen.getByText("Two-factor authentication is off");
  });

  it("creates new recovery codes in exchange for a code", async () => {
    const page = await openSecurity(enabled);
    await page.press("New recovery codes");
    await enter(page, "2FA code", authenticatorCode);
    await page.press("Create new codes");
    const done = within(await window("Your new recovery codes"));
    expect(done.getAllByRole("listitem")).to.have.length(10);
  });

  describe("lists the sessions", () => {
    const rows = () =>
      within(screen.getByRole("article", { name: "Sessions" }))
        .getAllByRole("listitem")
        .map(({ textContent }) => textContent ?? "");

    it("with their devices, the current one marked and first", async () => {
      await openSecurity();
      expect(rows()).to.have.length(3);
      expect(rows()[0]).to.match(/^Firefox on LinuxThis device/);
      expect(rows()[1]).to.match(/^Safari on iPhone/);
      expect(rows()[2]).to.match(/^curl/);
      expect(screen.getAllByRole("button", { name: /^End session/ })).to.have.length(2);
    });

    it("and says of one that it was logged out here while the server could not be reached", async () => {
      await openSecurity({
        before: ({ storage, server }) => {
          storage.local.write("owedLogout", '{"sessionId":"script"}');
          server.on("DELETE", "/account/sessions/:id", { status: 503 });
        },
      });
      expect(rows()[2]).to.match(/^curl.*Logged out here/);
      expect(rows()[2]).to.include(
        "The server could not be reached when you logged out, so this session is still open.",
      );
      expect(rows()[1]).to.not.include("Logged out here");
    });

    it("and ends one after a confirmation", async () => {
      const page = await openSecurity();
      await page.press("End session: Safari on iPhone");
      const question = within(
        screen.getByRole("alertdialog", { name: "End the session on Safari on iPhone?" }),
      );
      await page.user.click(question.getByRole("button", { name: beginning("End session") }));
      await page.act(() => {});
      expect(rows()).to.have.length(2);
      screen.getByText("Session ended");
    });

    it("and ends all others after a confirmation, which can be canceled", async () => {
      const page = await openSecurity();
      await page.press("End all other sessions");
      await page.press("Cancel");
      expect(rows()).to.have.length(3);
      await page.press("End all other sessions");
      await page.press("End all others");
      expect(rows()).to.have.length(1);
      expect(screen.queryByRole("button", { name: "End all other sessions" })).to.equal(null);
    });

    it("and shows why the list is missing, with a way to retry", async () => {
      const page = await openSecurity({
        before: ({ server }) => server.on("GET", "/account/sessions", { status: 400 }),
      });
      screen.getByText("Failed to get your sessions");
      page.server.on("GET", "/account/sessions", { json: { sessions: [] } });
      await page.press("Try Again");
      expect(screen.queryByText("Failed to get your sessions")).to.equal(null);
    });
  });
});
