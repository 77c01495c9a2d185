import "../../support/dom.ts";
// Lazily loaded by the app; imported here so that loading them takes no time in the test.
import "../../../web/features/account/DeleteAccountDialog.tsx";
import "../../../web/features/account/ImportPanel.tsx";
import "../../../web/features/encryption/KeySetupScreen.tsx";
import "../../../web/features/session/ProofDialog.tsx";
import "../../../web/app/ProofQuestion.tsx";
import { screen, within } from "@testing-library/react";
import { expect } from "chai";
import { createMask, createUser, rightCode } from "../../fakes/productServer.ts";
import { authenticatorCode } from "../../fakes/productTwoFactor.ts";
import { useDom } from "../../support/jsdom.ts";
import { chooseFile } from "../support/chooseFile.ts";
import { beginning, closePages, type OpenPage, openMasks } from "../support/openPage.tsx";
import { openSettings } from "../support/openTab.ts";
import { atTheCode, email, enter } from "../support/signIn.ts";

const secured = createUser(email, { twoFactor: { enabled: true } });
const thiefs = "thief@elsewhere.example";

/** Presses the last of the buttons with this name: the one of the dialog on top. */
const pressTop = async (page: OpenPage, name: string): Promise<void> => {
  const found = screen.getAllByRole("button", { name: beginning(name) });
  await page.user.click(found.at(-1) as HTMLElement);
  await page.act(() => {});
};

const pressIn = async (page: OpenPage, card: string, button: string): Promise<void> => {
  const article = within(await screen.findByRole("article", { name: card }));
  await page.user.click(article.getByRole("button", { name: beginning(button) }));
  await page.act(() => {});
};

/** Each change: the request that waits for the proof, how its form is opened and filled in, and the button that sends it. */
const changes: Readonly<Record<string, readonly [string, () => Promise<OpenPage>, string]>> = {
  "a second factor": [
    "POST /account/2fa/setup",
    async () => {
      const page = await openSettings("Security");
      await page.press("Setup 2FA");
      return page;
    },
    "Continue",
  ],
  "the first code of a second factor": [
    "POST /account/2fa/verify",
    async () => {
      const page = await openSettings("Security");
      await page.press("Setup 2FA");
      await page.press("Continue");
      await enter(page, "Verification code", authenticatorCode);
      return page;
    },
    "Verify & Activate",
  ],
  "the end of a second factor": [
    "DELETE /account/2fa",
    async () => {
      const page = await openSettings("Security", { user: secured });
      await pressIn(page, "Two-Factor Authentication", "Switch off");
      await enter(page, "2FA code", authenticatorCode);
      return page;
    },
    "Switch off",
  ],
  "new recovery codes": [
    "POST /account/2fa/recovery-codes",
    async () => {
      const page = await openSettings("Security", { user: secured });
      await page.press("New recovery codes");
      await enter(page, "2FA code", authenticatorCode);
      return page;
    },
    "Create new codes",
  ],
  "a session's end": [
    "DELETE /account/sessions/phone",
    async () => {
      const page = await openSettings("Security");
      await page.press("End session: Safari on iPhone");
      return page;
    },
    "End session",
  ],
  "all other sessions' end": [
    "DELETE /account/sessions",
    async () => {
      const page = await openSettings("Security");
      await page.press("End all other sessions");
      return page;
    },
    "End all others",
  ],
  "an app password": [
    "POST /account/app-passwords",
    async () => {
      const page = await openSettings("Programs");
      await screen.findByRole("heading", { name: "Mail programs" });
      await page.press("Create app password");
      await page.type("Program or device", "Phone");
      return page;
    },
    "Create password",
  ],
  "a webhook": [
    "POST /account/webhooks",
    async () => {
      const page = await openSettings("Programs");
      await screen.findByRole("heading", { name: "Webhooks" });
      await page.press("Add webhook");
      await page.type("Address", "https://shop.example/hook");
      return page;
    },
    "Add webhook",
  ],
  "an address for forwarded mail": [
    "POST /destinations",
    async () => {
      const page = await openSettings("Mail");
      await page.press("Add address");
      await page.type("Address", thiefs);
      return page;
    },
    "Add address",
  ],
  "a new mask's address": [
    "POST /masks",
    async () => {
      const page = await openMasks();
      await page.user.click(screen.getAllByRole("button", { name: "Create Mask" })[0] as HTMLElement);
      await screen.findByRole("dialog", { name: "Create Mask" });
      await page.type("Description", "Shop");
      await page.type("Forward to", thiefs);
      return page;
    },
    "Create Mask",
  ],
  "a mask's address": [
    "PUT /masks/a",
    async () => {
      const page = await openMasks({ masks: [createMask("a")] });
      await page.user.click(screen.getByRole("button", { name: /^Options for/ }));
      await page.user.click(await screen.findByRole("menuitem", { name: "Edit mask" }));
      await page.act(() => {});
      await page.type("Forward to", thiefs);
      return page;
    },
    "Save Changes",
  ],
  "an import": [
    "POST /masks",
    async () => {
      const page = await openSettings("Data");
      const file = new File(
        [`alias,note,enabled,mailboxes\nx@sl.example,Shop,true,${thiefs}\n`],
        "aliases.csv",
      );
      await chooseFile(page, "Import masks", file);
      await screen.findByText("aliases.csv: SimpleLogin, 1 mask to import, 0 skipped.");
      return page;
    },
    "Import 1 mask",
  ],
  "a copy of everything": ["GET /account/export", () => openSettings("Data"), "Everything (JSON)"],
  "the account's end": [
    "DELETE /account",
    async () => {
      const page = await openSettings("General");
      await page.press("Delete my account");
      await page.type("Address of your account", email);
      return page;
    },
    "Delete account",
  ],
  "a key whose backup took long, at the sign-in": [
    "POST /keys/setup",
    async () => {
      const page = await atTheCode({ user: createUser(email, { keyStatus: "not-configured" }) });
      await enter(page, "Verification code", rightCode);
      await screen.findByRole("button", { name: "Generate Encryption Keys" });
      await page.press("Generate Encryption Keys");
      await page.advance(500);
      await page.type("Passphrase for the backup", "seven quiet boats leave at noon");
      await page.type("Passphrase again", "seven quiet boats leave at noon");
      await page.press("Show as text to print");
      await page.user.click(screen.getByRole("checkbox", { name: /^I have saved the backup/ }));
      return page;
    },
    "Switch on encryption",
  ],
};

describe("The question whether it is the user", () => {
  useDom();
  afterEach(closePages);

  for (const [what, [request, open, button]] of Object.entries(changes)) {
    it(`is asked before ${what} in an old session, and the change goes on after a code`, async () => {
      const page = await open();
      page.product.proof.lapse();
      await pressTop(page, button);
      const question = within(await screen.findByRole("dialog", { name: "Confirm that it is you" }));
      expect(page.server.requestsTo(request)).to.have.length(1);
      await page.user.click(question.getByRole("button", { name: /^Email me a code/ }));
      await page.act(() => {});
      await page.user.type(question.getByLabelText("Code"), rightCode);
      await page.act(() => {});
      expect(screen.queryByRole("dialog", { name: "Confirm that it is you" })).to.equal(null);
      expect(page.server.requestsTo(request)).to.have.length(2);
      expect(page.app.toasts.list$.value.filter(({ kind }) => kind === "error")).to.deep.equal([]);
      expect(document.body.textContent).not.to.contain("Confirm that it is you");
    });

    it(`gives up ${what} when it is canceled, with a sentence`, async () => {
      const page = await open();
      page.product.proof.lapse();
      await pressTop(page, button);
      await screen.findByRole("dialog", { name: "Confirm that it is you" });
      await pressTop(page, "Cancel");
      expect(page.server.requestsTo(request)).to.have.length(1);
      await screen.findAllByText(/Confirm that it is you, then try again\./);
    });
  }
});
