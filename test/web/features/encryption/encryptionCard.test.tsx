import "../../../support/dom.ts";
// Lazily loaded by the app; imported here so that loading them takes no time in the test.
import "../../../../web/features/encryption/EncryptionDialog.tsx";
import "../../../../web/features/account/LogoutDialog.tsx";
import { screen, within } from "@testing-library/react";
import { expect } from "chai";
import { createFakeKeyring } from "../../../fakes/fakeKeyring.ts";
import { createUser } from "../../../fakes/productServer.ts";
import { useDom } from "../../../support/jsdom.ts";
import { closePages, type OpenPage } from "../../support/openPage.tsx";
import { openSettings } from "../../support/openTab.ts";

const email = "ada@example.org";
const noKey = { user: createUser(email, { keyStatus: "not-configured" as const }) };

const card = () => within(screen.getByRole("article", { name: "Email Encryption" }));

const openCard = async (options: Parameters<typeof openSettings>[1] = noKey): Promise<OpenPage> => {
  const page = await openSettings("Security", options);
  await screen.findByRole("article", { name: "Email Encryption" });
  await page.act(() => {});
  return page;
};

/** Opens the settings of a user whose key was created on this device, or on another. */
const withKey = async (where: "here" | "elsewhere"): Promise<OpenPage> => {
  const keys = createFakeKeyring();
  const owner = where === "here" ? email : "nobody@example.org";
  const created = await keys.keyring.create(owner)();
  if (created._tag === "Left") throw new Error("no key was made");
  await keys.keyring.markBackedUp(owner, created.right.fingerprint)();
  const { fingerprint, publicKey } = created.right;
  const page = await openCard({
    keys,
    before: ({ server }) => {
      server.on("GET", "/keys/status", { json: { status: "configured", fingerprint } });
      server.on("GET", "/keys", {
        json: { keys: [{ publicKey, fingerprint, created: "", published: true }] },
      });
    },
  });
  return page;
};

describe("The encryption card", () => {
  useDom();
  afterEach(closePages);

  it('is "Not configured", with "Setup Encryption" that opens the panel (SG1, KE1)', async () => {
    const page = await openCard();
    card().getByText("Not configured");
    await page.press("Setup Encryption");
    const panel = within(await screen.findByRole("dialog", { name: "Encrypt your mail" }));
    panel.getByText(/Messages are encrypted to a key that is created on your device/);
    panel.getByText(/Only you and the people a message was meant for can read it/);
    panel.getByText(/even Bauta cannot/);
    panel.getByText(/Keep your device secure/);
    panel.getByText("What is protected");
    panel.getByRole("button", { name: "Generate Encryption Keys" });
  });

  for (const [answer, message] of [
    [{ status: 400 }, "Failed to get encryption key status"],
    [{ status: 500 }, "Server error: Server error. Our team has been notified."],
    ["unreachable", "Connection issue. Please try again later."],
  ] as const)
    it(`offers no second key while its status fails with ${JSON.stringify(answer)} (SG1)`, async () => {
      const page = await openCard({
        before: ({ server }) => server.on("GET", "/keys/status", answer),
      });
      card().getByText("Configured");
      card().getByText(message);
      expect(card().queryByRole("button", { name: "Setup Encryption" })).to.equal(null);
      page.server.on("GET", "/keys/status", { json: { status: "configured" } });
      await page.press("Try Again");
      card().getByText("Configured");
      card().getByRole("button", { name: "Switch off" });
    });

  it("says neither that it is configured nor that it is not while nobody knows (SG1)", async () => {
    await openCard({
      ...noKey,
      before: ({ server }) => server.on("GET", "/keys/status", { status: 400 }),
    });
    card().getByText("Not known");
    expect(card().queryByText("Not configured")).to.equal(null);
    expect(card().queryByRole("button", { name: "Setup Encryption" })).to.equal(null);
  });

  it("is configured by what the account says until its status is known (SG1)", async () => {
    await openCard({ before: ({ server }) => server.on("GET", "/keys/status", "silent") });
    card().getByText("Configured");
    expect(card().queryByRole("button", { name: "Setup Encryption" })).to.equal(null);
  });

  it('shows "Email encryption feature is not yet implemented" where the server has none (D12)', async () => {
    const page = await openCard({
      ...noKey,
      before: ({ server }) => server.on("GET", "/keys/status", { status: 501, json: {} }),
    });
    await page.press("Setup Encryption");
    screen.getByText("Email encryption feature is not yet implemented");
    expect(screen.queryByRole("dialog")).to.equal(null);
  });

  it("says that the code of keys is missing, without advice about https, and loads it again", async () => {
    const keys = createFakeKeyring();
    keys.refuseAll("not-loaded");
    const page = await openCard({ ...noKey, keys });
    await page.press("Setup Encryption");
    const panel = within(await screen.findByRole("dialog", { name: "Encrypt your mail" }));
    panel.getByText(/The part of the app that keeps keys could not be loaded/);
    expect(panel.queryByText(/https/)).to.equal(null);
    keys.refuseAll(null);
    await page.press("Try Again");
    expect(panel.queryByText(/could not be loaded/)).to.equal(null);
    expect(panel.getByRole("button", { name: "Generate Encryption Keys" }).hasAttribute("disabled")).to.equal(
      false,
    );
  });

  it('is "Configured" where this device has the key', async () => {
    await withKey("here");
    card().getByText("Configured");
    card().getByText("This device holds the private key and can open your mail.");
    card().getByRole("button", { name: "Save another backup" });
  });

  it("asks for the backup where another device has the key, and explains a wrong backup", async () => {
    const page = await withKey("elsewhere");
    card().getByText(/The private key is on another device/);
    expect(card().queryByRole("button", { name: "Save another backup" })).to.equal(null);
    await page.press("Import a backup");
    await page.type("Backup of your private key", "hello");
    await page.press("Import the key");
    screen.getByText(/This is not a key/);
  });

  it("lets the user publish the key to senders, or not", async () => {
    const page = await withKey("here");
    page.server.on("PUT", "/keys/published", { json: { published: false } });
    const find = await card().findByRole<HTMLInputElement>("switch", { name: "Senders can find my key" });
    expect(find.checked).to.equal(true);
    card().getByText(/^Your masks are linked/);
    await page.user.click(find);
    expect(find.checked).to.equal(false);
    card().getByText(/This links your masks/);
    expect(page.server.requestsTo("PUT /keys/published").map(({ body }) => body)).to.deep.equal([
      { published: false },
    ]);
  });

  it("switches encryption off after a confirmation that says what is lost", async () => {
    const page = await withKey("here");
    page.server.on("DELETE", "/keys", { json: { status: "not-configured" } });
    await page.press("Switch off");
    const question = within(screen.getByRole("alertdialog", { name: "Switch encryption off?" }));
    question.getByText(/keep your key and its backup to read it/);
    await page.user.click(question.getByRole("button", { name: /^Switch off/ }));
    await page.act(() => {});
    card().getByText("Not configured");
  });

  it("removes keys from the device after a confirmation that says what is lost", async () => {
    const page = await withKey("here");
    await page.press("Remove from this device");
    const question = within(
      screen.getByRole("alertdialog", { name: "Remove your private keys from this device?" }),
    );
    question.getByText(/Without a backup and its passphrase nobody can ever open that mail/);
    await page.user.click(question.getByRole("button", { name: /^Remove/ }));
    await page.act(() => {});
    card().getByText(/The private key is on another device/);
  });

  it("makes logging out ask for confirmation (D45)", async () => {
    const page = await withKey("here");
    await page.press("Log out");
    const question = within(await screen.findByRole("alertdialog", { name: "Log out?" }));
    question.getByText(/Your private key is deleted from this device when you log out/);
    expect(question.queryByRole("button", { name: /Sync Now/ })).to.equal(null);
    await page.user.click(question.getByRole("button", { name: /^Log out/ }));
    await screen.findByRole("heading", { name: "Sign in to Bauta" });
    expect(await page.ports.keyring.list(email)()).to.deep.include({ right: [] });
  });

  it("shows that the status could not be loaded, and retries", async () => {
    const page = await openCard({
      ...noKey,
      before: ({ server }) => server.on("GET", "/keys/status", { status: 400, json: {} }),
    });
    card().getByText("Failed to get encryption key status");
    page.server.on("GET", "/keys/status", { json: { status: "not-configured" } });
    await page.press("Try Again");
    await page.press("Setup Encryption");
    const panel = within(await screen.findByRole("dialog", { name: "Encrypt your mail" }));
    panel.getByRole("button", { name: "Generate Encryption Keys" });
  });

  it("explains encryption while it is off, and restores a backup to read earlier mail", async () => {
    const page = await openCard();
    card().getByText(/^Once this is set up, every forwarded email is encrypted/);
    await page.press("Import a backup");
    const backup = (await page.ports.keyring.create("of-another-device")()) as {
      right: { fingerprint: string };
    };
    const text = await page.ports.keyring.protect("of-another-device", backup.right.fingerprint, "open")();
    await page.type("Backup of your private key", "right" in text ? text.right : "");
    await page.type("Passphrase of the backup", "open");
    await page.press("Import the key");
    await page.act(() => {});
    const window = within(screen.getByRole("dialog", { name: "Import a backup" }));
    window.getByText(/Encryption is off: new mail is forwarded as it arrives/);
    expect(window.queryByText(/import the backup of the key in use/)).to.equal(null);
  });

  it("claims nowhere that mail is encrypted after a 500, until the server confirms it (KE2)", async () => {
    const uncertain = "Encryption setup may have succeeded. Please check status.";
    const claims = /is encrypted from now on|^Every forwarded email is encrypted/;
    const page = await openCard({
      ...noKey,
      before: ({ server }) => {
        server.on("POST", "/keys/setup", { status: 500, json: {} });
      },
    });
    await page.press("Setup Encryption");
    await screen.findByRole("dialog", { name: "Encrypt your mail" });
    page.server.on("GET", "/keys/status", { status: 500, json: {} });
    await page.press("Use a key of my own");
    const made = (await page.ports.keyring.create("elsewhere")()) as { right: { publicKey: string } };
    await page.type("Your public key", made.right.publicKey);
    await page.press("Check the key");
    await page.press("Encrypt to this key");
    await page.act(() => {});
    const panel = within(screen.getByRole("dialog", { name: "Encrypt your mail" }));
    panel.getByText(uncertain);
    expect(screen.queryAllByText(claims)).to.deep.equal([]);
    page.server.on("GET", "/keys/status", { json: { status: "configured" } });
    await page.press("Check status");
    await page.act(() => {});
    panel.getByText("Mail to your masks is encrypted from now on.");
    await page.press("Done");
    card().getByText(/^Every forwarded email is encrypted/);
  });

  it("says that the previous key stays in use when its replacement is discarded", async () => {
    const page = await withKey("here");
    await page.press("Replace the key");
    await page.press("Create a new key");
    await page.advance(500);
    const window = within(await screen.findByRole("dialog", { name: "Encrypt your mail" }));
    await page.press("Delete this key");
    await page.act(() => {});
    window.getByText(/The new key is not used/);
    expect(window.queryByText("Mail to your masks is encrypted from now on.")).to.equal(null);
    await page.press("Done");
    card().getByText("Configured");
  });
});
