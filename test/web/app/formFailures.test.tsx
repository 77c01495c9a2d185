import "../../support/dom.ts";
// Lazily loaded by the app; imported here so that loading them takes no time in the test.
import "../../../web/features/account/DeleteAccountDialog.tsx";
import "../../../web/features/account/ImportPanel.tsx";
import "../../../web/features/rules/form/RuleDialog.tsx";
import { screen, within } from "@testing-library/react";
import { expect } from "chai";
import type { HttpMethod } from "../../../core/ports/http.ts";
import { createMask, createUser } from "../../fakes/productServer.ts";
import { authenticatorCode } from "../../fakes/productTwoFactor.ts";
import { sellingConfiguration } from "../../fakes/sellingConfiguration.ts";
import { useDom } from "../../support/jsdom.ts";
import { chooseFile } from "../support/chooseFile.ts";
import { beginning, closePages, type OpenPage, openMasks } from "../support/openPage.tsx";
import { openSettings, openTab } from "../support/openTab.ts";
import { atTheCode, email, enter, visit } from "../support/signIn.ts";

const noAnswer = "Connection issue. Please try again later.";
const sentence = "Server error: Server error. Our team has been notified.";

/** Presses the last of the buttons with this name: the one of the dialog on top. */
const pressTop = async (page: OpenPage, name: string): Promise<void> => {
  const found = screen.getAllByRole("button", { name: beginning(name) });
  await page.user.click(found.at(-1) as HTMLElement);
  await page.act(() => {});
};

const openMenuItem = async (page: OpenPage, item: string): Promise<void> => {
  await page.user.click(screen.getByRole("button", { name: /^Options for/ }));
  await page.user.click(await screen.findByRole("menuitem", { name: item }));
  await page.act(() => {});
};

const openChangeEmail = async (): Promise<OpenPage> => {
  const page = await openTab("Account");
  await page.press("Change email");
  await screen.findByRole("dialog", { name: "Change your email" });
  await page.type("New email address", "new@example.net");
  return page;
};

const openRule = async (): Promise<OpenPage> => {
  const rule = {
    id: "rule_1",
    name: "Sales",
    type: "content_filter",
    enabled: true,
    conditions: [{ field: "subject", operator: "contains", value: ["sale"] }],
    actions: [{ type: "tag", params: { tag: "Sale" } }],
    updatedAt: "2026-11-01T10:00:00.000Z",
  };
  const page = await openTab("Rules", { masks: [createMask("shop", { settings: { rules: [rule] } })] });
  await page.press("Edit Sales");
  await screen.findByRole("dialog", { name: "Edit Rule" });
  await page.type(/^Rule Name/, "Deals");
  return page;
};

const secured = createUser(email, { twoFactor: { enabled: true } });

/** Each form: the request that fails, how it is opened and filled in, and the button that sends it. */
const forms: readonly (readonly [string, HttpMethod, string, () => Promise<OpenPage>, string | null])[] = [
  [
    "sign-in",
    "POST",
    "/login",
    async () => {
      const page = await visit();
      await page.type("Email address", email);
      return page;
    },
    "Log in",
  ],
  [
    "code",
    "PUT",
    "/login",
    async () => {
      const page = await atTheCode();
      await page.type("Verification code", "12345");
      return page;
    },
    null,
  ],
  [
    "resent code",
    "POST",
    "/login",
    async () => {
      const page = await atTheCode();
      await page.advance(30_000);
      return page;
    },
    "Resend code",
  ],
  [
    "second code",
    "POST",
    "/login/verify2fa",
    async () => {
      const page = await atTheCode({ user: secured });
      await enter(page, "Verification code", "123456");
      await page.advance(500);
      await page.press("Use a recovery code");
      await page.type("Recovery code", "k3v9d-8m2qa");
      return page;
    },
    "Verify",
  ],
  [
    "sign-up",
    "POST",
    "/signup",
    async () => {
      const page = await atTheCode({ isNew: true });
      await enter(page, "Verification code", "123456");
      await screen.findByRole("heading", { name: "Choose a plan" });
      await page.advance(500);
      return page;
    },
    "Continue with Free",
  ],
  [
    "new mask",
    "POST",
    "/masks",
    async () => {
      const page = await openMasks();
      await page.user.click(screen.getAllByRole("button", { name: "Create Mask" })[0] as HTMLElement);
      await screen.findByRole("dialog", { name: "Create Mask" });
      await page.type("Description", "Shop");
      return page;
    },
    "Create Mask",
  ],
  [
    "changed mask",
    "PUT",
    "/masks/:id",
    async () => {
      const page = await openMasks({ masks: [createMask("a")] });
      await openMenuItem(page, "Edit mask");
      await page.type("Description", "Other");
      return page;
    },
    "Save Changes",
  ],
  [
    "deletion of a mask",
    "DELETE",
    "/masks/:id",
    async () => {
      const page = await openMasks({ masks: [createMask("a")] });
      await openMenuItem(page, "Delete mask");
      return page;
    },
    "Delete mask",
  ],
  ["address change", "PUT", "/account/profile", openChangeEmail, "Send code"],
  [
    "code of the new address",
    "PUT",
    "/account/profile",
    async () => {
      const page = await openChangeEmail();
      await pressTop(page, "Send code");
      await page.type("Verification code", "123456");
      return page;
    },
    "Change email",
  ],
  [
    "two-factor set-up",
    "POST",
    "/account/2fa/setup",
    async () => {
      const page = await openSettings("Security");
      await page.press("Setup 2FA");
      return page;
    },
    "Continue",
  ],
  [
    "first code of two-factor",
    "POST",
    "/account/2fa/verify",
    async () => {
      const page = await openSettings("Security");
      await page.press("Setup 2FA");
      await page.press("Continue");
      await enter(page, "Verification code", authenticatorCode);
      return page;
    },
    "Verify & Activate",
  ],
  [
    "end of two-factor",
    "DELETE",
    "/account/2fa",
    async () => {
      const page = await openSettings("Security", { user: secured });
      await page.user.click(
        within(screen.getByRole("article", { name: "Two-Factor Authentication" })).getByRole("button", {
          name: "Switch off",
        }),
      );
      await enter(page, "2FA code", authenticatorCode);
      return page;
    },
    "Switch off",
  ],
  [
    "deletion of the account",
    "DELETE",
    "/account",
    async () => {
      const page = await openSettings("General");
      await page.press("Delete my account");
      await screen.findByRole("dialog", { name: "Delete your account?" });
      await page.type("Address of your account", email);
      return page;
    },
    "Delete account",
  ],
  [
    "import",
    "POST",
    "/masks",
    async () => {
      const page = await openSettings("Data");
      const file = new File(["alias,note,enabled,mailboxes\nx@sl.example,Shop,true,\n"], "aliases.csv");
      await chooseFile(page, "Import masks", file);
      await screen.findByText("aliases.csv: SimpleLogin, 1 mask to import, 0 skipped.");
      return page;
    },
    "Import 1 mask",
  ],
  [
    "payment",
    "POST",
    "/billing/checkout",
    async () => {
      const page = await openTab("Account", { settings: { configuration: sellingConfiguration } });
      await page.press("Choose a plan here");
      await screen.findByRole("dialog", { name: "Upgrade Your Plan" });
      return page;
    },
    "Continue with Basic",
  ],
];

const occurrences = (text: string): number => (document.body.textContent ?? "").split(text).length - 1;

const toastTexts = (page: OpenPage): readonly string[] =>
  page.app.toasts.list$.value.flatMap(({ text, count }) => Array<string>(count).fill(text));

describe("A failed form says why once, and the notice of the failure stands beside it", () => {
  useDom();
  afterEach(closePages);

  for (const [name, method, path, open, button] of forms) {
    it(`after a 500 without a message: ${name}`, async () => {
      const page = await open();
      page.server.on(method, path, { status: 500 });
      if (button === null) await enter(page, "Verification code", "6");
      else await pressTop(page, button);
      await screen.findAllByText((text) => text.includes(sentence));
      expect(occurrences(sentence), "in the form and in the toast").to.equal(2);
      expect(toastTexts(page)).to.deep.equal([sentence]);
    });

    it(`without a network: ${name}`, async () => {
      const page = await open();
      page.server.on(method, path, "unreachable");
      if (button === null) await enter(page, "Verification code", "6");
      else await pressTop(page, button);
      await page.act(() => {});
      expect(occurrences(noAnswer)).to.be.at.most(2);
      expect(toastTexts(page)).to.deep.equal([noAnswer]);
    });
  }

  it("after a 500 for a rule, which the form still has", async () => {
    const page = await openRule();
    page.server.on("PUT", "/masks/:id", { status: 500, json: { message: "The store is full." } });
    await page.press("Save Rule");
    const dialog = within(await screen.findByRole("dialog", { name: "Edit Rule" }));
    dialog.getByText("Failed to update rule: The store is full.");
    expect(screen.getByLabelText<HTMLInputElement>(/^Rule Name/).value).to.equal("Deals");
    expect(toastTexts(page)).to.deep.equal(["Server error: The store is full. Our team has been notified."]);
  });

  it("after a refusal of a rule", async () => {
    const page = await openRule();
    page.server.on("PUT", "/masks/:id", { status: 403, json: { message: "Not on this plan" } });
    await page.press("Save Rule");
    const dialog = within(await screen.findByRole("dialog", { name: "Edit Rule" }));
    dialog.getByText(/Not on this plan/);
    expect(occurrences("Not on this plan")).to.equal(1);
    expect(page.app.toasts.list$.value).to.deep.equal([]);
  });

  it("and in a toast when the form is no longer open", async () => {
    const page = await visit();
    await page.type("Email address", email);
    await page.press("Log in");
    await page.advance(500);
    page.server.on("PUT", "/login", { status: 500 });
    await page.act(() => void page.app.signIn.verifyCode("123456")());
    expect(page.app.toasts.list$.value.map(({ text }) => text)).to.deep.equal([sentence]);
  });
});
