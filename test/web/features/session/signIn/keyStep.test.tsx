import "../../../../support/dom.ts";
// Lazily loaded by the app; imported here so that loading it takes no time in the test.
import "../../../../../web/features/encryption/KeySetupScreen.tsx";
import { screen } from "@testing-library/react";
import { expect } from "chai";
import { createFakeKeyring } from "../../../../fakes/fakeKeyring.ts";
import { createUser } from "../../../../fakes/productServer.ts";
import { useDom } from "../../../../support/jsdom.ts";
import { closePages, type OpenPage, openPage } from "../../../support/openPage.tsx";
import { atTheCode, email, enter } from "../../../support/signIn.ts";

const noKey = { user: createUser(email, { keyStatus: "not-configured" as const }) };
const toasts = (page: OpenPage) => page.app.toasts.list$.value.map(({ text }) => text);

describe("The key step of signing in", () => {
  useDom();
  afterEach(closePages);

  const signIn = async (options: Parameters<typeof openPage>[0]): Promise<OpenPage> => {
    const page = await atTheCode(options);
    await enter(page, "Verification code", "123456");
    return page;
  };

  it("is shown to a user without a key, before the welcome message (SI1)", async () => {
    const page = await signIn(noKey);
    await screen.findByRole("heading", { name: "Encrypt your mail" });
    await screen.findByRole("button", { name: "Generate Encryption Keys" });
    expect(toasts(page)).to.deep.equal([]);
    await page.press("Not now");
    await screen.findByRole("heading", { name: "Your Email Masks" });
    expect(toasts(page)).to.deep.equal(["Logged in successfully"]);
    expect(page.server.requestsTo("POST /keys/setup")).to.have.length(0);
  });

  it("follows the plan step (SI11)", async () => {
    const page = await signIn({ ...noKey, isNew: true });
    await screen.findByRole("heading", { name: "Choose a plan" });
    await page.advance(500);
    await page.press("Continue with Free");
    await screen.findByRole("heading", { name: "Encrypt your mail" });
  });

  it("is not shown to a user with a key", async () => {
    const page = await signIn({});
    await screen.findByRole("heading", { name: "Your Email Masks" });
    expect(toasts(page)).to.deep.equal(["Logged in successfully"]);
  });

  it("is not shown where the server does not encrypt (D12)", async () => {
    const configuration = { brand: "Bauta", maskDomain: "masks.example", flags: { encryption: false } };
    await signIn({ ...noKey, settings: { configuration } });
    await screen.findByRole("heading", { name: "Your Email Masks" });
  });

  it("is skipped where the server turns out not to encrypt (D12)", async () => {
    await signIn({
      ...noKey,
      before: ({ server }) => server.on("GET", "/keys/status", { status: 404, json: {} }),
    });
    await screen.findByRole("heading", { name: "Your Email Masks" });
  });

  it("is shown again after a reload, but not in another tab, where Settings offers it", async () => {
    const { storage } = await signIn(noKey);
    await screen.findByRole("heading", { name: "Encrypt your mail" });
    closePages();
    await openPage({ ...noKey, storage, isSignedIn: false });
    await screen.findByRole("heading", { name: "Encrypt your mail" });
    closePages();
    storage.tab.remove("keySetupOwner");
    await openPage({ ...noKey, storage, isSignedIn: false });
    await screen.findByRole("heading", { name: "Your Email Masks" });
  });

  it("ends with encryption switched on, after the backup is saved", async () => {
    const page = await signIn(noKey);
    await screen.findByRole("button", { name: "Generate Encryption Keys" });
    await page.press("Generate Encryption Keys");
    screen.getByRole("progressbar", { name: "Generating encryption keys" });
    await page.advance(500);
    await page.press("Switch on encryption");
    screen.getByText("Save the backup first, then tick this box.");
    await page.type("Passphrase for the backup", "seven quiet boats leave at noon");
    screen.getByText("Strength: Strong, if it is not a quotation");
    await page.type("Passphrase again", "seven quiet boats leave at noon");
    await page.press("Show as text to print");
    screen.getByRole("region", { name: "Backup of your private key" });
    await page.user.click(screen.getByRole("checkbox", { name: /^I have saved the backup/ }));
    await page.press("Switch on encryption");
    await screen.findByRole("heading", { name: "Your Email Masks" });
    expect(page.product.keys.inUse()).to.include("PUBLIC KEY BLOCK");
    expect(toasts(page)).to.have.members(["Encryption keys set up successfully", "Logged in successfully"]);
  });

  it("removes the reminder once the backup is saved", async () => {
    const page = await signIn(noKey);
    await screen.findByRole("button", { name: "Generate Encryption Keys" });
    await page.press("Generate Encryption Keys");
    await page.advance(500);
    const reminder = "Save the backup first, then tick this box.";
    await page.press("Switch on encryption");
    await page.user.click(screen.getByRole("checkbox", { name: /^I have saved the backup/ }));
    await page.press("Switch on encryption");
    screen.getByText(reminder);
    await page.type("Passphrase for the backup", "seven quiet boats leave at noon");
    await page.type("Passphrase again", "seven quiet boats leave at noon");
    await page.press("Show as text to print");
    expect(screen.queryByText(reminder)).to.equal(null);
  });

  it("says what encrypted mail looks like before the choice, with Not now and Don’t ask again beside the button", async () => {
    await signIn(noKey);
    const make = await screen.findByRole("button", { name: "Generate Encryption Keys" });
    const meaning = screen.getByText(/^Your mail program will show these emails as “...” with an attachment/);
    expect(meaning.tagName).to.equal("STRONG");
    expect(meaning.compareDocumentPosition(make)).to.equal(Node.DOCUMENT_POSITION_FOLLOWING);
    for (const name of ["Not now", "Don’t ask again"])
      expect(screen.getByRole("button", { name }).parentElement).to.equal(make.parentElement);
  });

  const keysOf = async (page: OpenPage) => {
    const listed = await page.keys.keyring.list(email)();
    return listed._tag === "Right" ? listed.right : [];
  };
  const isMasksShown = () => screen.findByRole("heading", { name: "Your Email Masks" });

  it("leaves no key behind when it is left after the key was made", async () => {
    const page = await signIn(noKey);
    await page.press("Generate Encryption Keys");
    await page.advance(500);
    expect(await keysOf(page)).to.have.length(1);
    await page.press("Not now");
    await isMasksShown();
    expect(await keysOf(page)).to.deep.equal([]);
    expect(page.server.requestsTo("POST /keys/setup")).to.have.length(0);
  });

  it("leaves no key behind when it is left while the key is being made", async () => {
    const page = await signIn(noKey);
    await page.press("Generate Encryption Keys");
    screen.getByRole("progressbar", { name: "Generating encryption keys" });
    await page.press("Not now");
    await isMasksShown();
    await page.advance(1_000);
    expect(await keysOf(page)).to.deep.equal([]);
  });

  it("goes on with the same key after a reload, and leaves none behind then", async () => {
    const keys = createFakeKeyring();
    const page = await signIn({ ...noKey, keys });
    await page.press("Generate Encryption Keys");
    await page.advance(500);
    const [made] = await keysOf(page);
    closePages();
    const again = await openPage({ ...noKey, keys, storage: page.storage, isSignedIn: false });
    await screen.findByLabelText("Passphrase for the backup");
    expect(await keysOf(again)).to.deep.equal([made]);
    await again.press("Not now");
    await isMasksShown();
    expect(await keysOf(again)).to.deep.equal([]);
  });

  it("keeps a key with a saved backup that the server may have, when the answer was lost", async () => {
    const page = await signIn(noKey);
    await page.press("Generate Encryption Keys");
    await page.advance(500);
    await page.type("Passphrase for the backup", "seven quiet boats leave at noon");
    await page.type("Passphrase again", "seven quiet boats leave at noon");
    await page.press("Show as text to print");
    await page.user.click(screen.getByRole("checkbox", { name: /^I have saved the backup/ }));
    page.server.on("POST", "/keys/setup", "unreachable");
    await page.press("Switch on encryption");
    await page.press("Not now");
    await isMasksShown();
    expect((await keysOf(page)).map(({ isBackedUp }) => isBackedUp)).to.deep.equal([true]);
  });

  it("is not shown again once the user has said so, on any device", async () => {
    const page = await signIn(noKey);
    await page.press("Generate Encryption Keys");
    await page.advance(500);
    await page.press("Delete this key");
    await page.press("Don’t ask again");
    await isMasksShown();
    expect(page.server.requestsTo("PUT /account/profile").map(({ body }) => body)).to.deep.equal([
      { keyOffer: "declined" },
    ]);
    expect(await keysOf(page)).to.deep.equal([]);
    closePages();
    await signIn({ user: { ...noKey.user, keyOffer: "declined" } });
    await isMasksShown();
  });

  it("says when that could not be saved, and lets the user leave all the same", async () => {
    const page = await signIn(noKey);
    await screen.findByRole("button", { name: "Generate Encryption Keys" });
    page.server.on("PUT", "/account/profile", { status: 400, json: {} });
    await page.press("Don’t ask again");
    screen.getByText("Failed to save your choice");
    await page.press("Not now");
    await isMasksShown();
  });

  it("shows that creating a key failed, and lets the user retry (KE1)", async () => {
    const keys = createFakeKeyring();
    const page = await signIn({ ...noKey, keys });
    await screen.findByRole("button", { name: "Generate Encryption Keys" });
    keys.refuseAll("damaged");
    await page.press("Generate Encryption Keys");
    await page.advance(500);
    screen.getByText("Failed to generate encryption keys");
    keys.refuseAll(null);
    await page.press("Generate Encryption Keys");
    await page.advance(500);
    screen.getByLabelText("Passphrase for the backup");
  });
});
