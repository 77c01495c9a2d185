import { expect } from "chai";
import type { CDPSession, Page } from "playwright-core";
import { until } from "../server/support/until.ts";
import { expectAccessible } from "../support/accessible.ts";
import { useBrowser } from "../support/browser.ts";
import { ageSessions } from "./support/oldSession.ts";
import { useServer } from "./support/product.ts";
import { codeMailedTo, outboxOf, type RunningServer } from "./support/server.ts";
import { createAccount, openSettings, pressUntil, setUpKey, signOut } from "./support/visitor.ts";

/** Passkeys belong to names, so the page is opened by one in place of the number of this machine. */
const addressOf = ({ url }: RunningServer): string => url.replace("127.0.0.1", "localhost");

const addAuthenticator = async (
  page: Page,
  transport: "internal" | "usb" = "internal",
  more: { readonly hasPrf?: boolean } = {},
): Promise<{ readonly cdp: CDPSession; readonly id: string }> => {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("WebAuthn.enable");
  const { authenticatorId: id } = await cdp.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport,
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
      ...more,
    },
  });
  return { cdp, id };
};

describe("Passkeys, in a real browser", () => {
  const server = useServer(() => ({ PUBLIC_URL: "http://localhost:{port}" }));
  const browser = useBrowser();

  const open = async (email?: string): Promise<Page> => {
    const kept = email === undefined ? undefined : await createAccount(server, email);
    const origins = (kept?.origins ?? []).map((one) => ({ ...one, origin: addressOf(server) }));
    const cookies = (kept?.cookies ?? []).map((one) => ({ ...one, domain: "localhost" }));
    const context = await browser().newContext({
      reducedMotion: "reduce",
      storageState: { cookies, origins },
    });
    const page = await context.newPage();
    await page.goto(addressOf(server));
    return page;
  };

  it("log in without an address, on a second device too, and end their sessions when removed", async () => {
    const page = await open("keys@example.org");
    const { cdp, id } = await addAuthenticator(page);
    await page.goto(`${addressOf(server)}/#settings/security`);
    await page.getByText("No passkeys yet").waitFor();
    await expectAccessible(page, "no passkeys");
    await page.getByRole("button", { name: "Add passkey" }).press("Enter");
    const list = page.getByRole("list", { name: "Passkeys" });
    await list.getByText(/Not used yet · Created .* · On one device only/).waitFor();
    await until("the button of the list has the focus", () =>
      page.evaluate(() => document.activeElement?.textContent?.startsWith("Add passkey") === true),
    );
    await expectAccessible(page, "the passkeys");
    const { credentials } = await cdp.send("WebAuthn.getCredentials", { authenticatorId: id });
    expect(credentials).to.have.length(1);
    const [credential] = credentials;
    if (!credential) throw new Error("there is no passkey");

    const other = await open();
    const second = await addAuthenticator(other);
    await second.cdp.send("WebAuthn.setAutomaticPresenceSimulation", {
      authenticatorId: second.id,
      enabled: false,
    });
    await second.cdp.send("WebAuthn.addCredential", { authenticatorId: second.id, credential });
    await other.reload();
    const button = other.getByRole("button", { name: "Use a passkey" });
    await button.waitFor();
    expect(await other.getByLabel("Email address").getAttribute("autocomplete")).to.equal(
      "username webauthn",
    );
    await expectAccessible(other, "the sign-in with a passkey");
    await second.cdp.send("WebAuthn.setAutomaticPresenceSimulation", {
      authenticatorId: second.id,
      enabled: true,
    });
    const loggedIn = other.getByRole("heading", { name: /Encrypt your mail|Your Email Masks/ });
    await button.click().catch(() => undefined);
    await loggedIn.first().waitFor();

    await page.reload();
    await list.getByText(/Last used: Just now/).waitFor();
    await page.getByRole("button", { name: /^Rename: / }).press("Enter");
    const rename = page.getByRole("dialog", { name: "Rename passkey" });
    await rename.getByRole("textbox", { name: "Name" }).fill("Laptop");
    await rename.getByRole("textbox", { name: "Name" }).press("Enter");
    await page.getByRole("button", { name: "Remove: Laptop" }).press("Enter");
    const question = page.getByRole("alertdialog", { name: "Remove the passkey Laptop?" });
    await expectAccessible(page, "the question about a passkey");
    await question.getByRole("button", { name: "Remove" }).press("Enter");
    await page.getByText("No passkeys yet").waitFor();
    await other.getByLabel("Email address").waitFor();
    for (const one of [page, other]) await one.context().close();
  });

  /** Signs in to an account that was mailed a code before, with the next one, and leaves the offer of a key. */
  const signInByCode = async (page: Page, email: string, answer = "Not now"): Promise<void> => {
    await enterCode(page, email);
    await page.getByRole("heading", { name: "Encrypt your mail" }).waitFor();
    await page.getByRole("button", { name: answer }).click();
    await page.getByRole("heading", { name: "Your Email Masks" }).waitFor();
  };

  const enterCode = async (page: Page, email: string): Promise<void> => {
    const before = new Set([await codeMailedTo(server, email)]);
    await page.getByLabel("Email address").fill(email);
    const code = page.getByRole("textbox", { name: "Verification code" });
    await pressUntil(page.getByRole("button", { name: "Log in" }), code);
    await code.fill(await codeMailedTo(server, email, before));
  };

  it("are offered after a code, where no key was, on one line, until the offer is accepted or declined for good", async () => {
    for (const { email, answer } of [
      { email: "offered@example.org", answer: "Add a passkey" },
      { email: "later@example.org", answer: "Not now" },
      { email: "declines@example.org", answer: "Never" },
    ]) {
      await createAccount(server, email);
      const page = await open();
      // The browser would offer its passkey in the field by itself.
      const { cdp, id } = await addAuthenticator(page);
      const present = (enabled: boolean) =>
        cdp.send("WebAuthn.setAutomaticPresenceSimulation", { authenticatorId: id, enabled });
      await present(false);
      const offer = page.getByText(/code next time\?$/);
      await signInByCode(page, email);
      await page
        .getByText("No masks")
        .or(page.getByText("You don't have any email masks yet."))
        .first()
        .waitFor();
      expect(await offer.count(), "after the offer of a key").to.equal(0);
      await signOut(page);
      await signInByCode(page, email, "Don’t ask again");
      await signOut(page);
      await enterCode(page, email);
      await offer.waitFor();
      await expectAccessible(page, "the offer of a passkey");
      // The page is narrow from here on.
      await present(true);
      await page.getByRole("button", { name: answer, exact: true }).press("Enter");
      await offer.waitFor({ state: "hidden" });
      const { credentials } = await cdp.send("WebAuthn.getCredentials", { authenticatorId: id });
      expect(credentials).to.have.length(answer === "Add a passkey" ? 1 : 0);
      await present(false);
      await signOut(page);
      await enterCode(page, email);
      await page.getByRole("heading", { name: "Your Email Masks" }).waitFor();
      await openSettings(page, "security");
      await page.getByText(answer === "Add a passkey" ? /Not used yet/ : "No passkeys yet").waitFor();
      await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Masks" }).click();
      await page.getByRole("heading", { name: "Your Email Masks" }).waitFor();
      if (answer === "Not now") await offer.waitFor();
      else expect(await offer.count()).to.equal(0);
      await page.context().close();
    }
  });

  it("log in alone once that is chosen, and confirm in an old session that it is their user", async () => {
    const page = await open("only@example.org");
    const { cdp, id } = await addAuthenticator(page);
    await openSettings(page, "security");
    const list = page.getByRole("list", { name: "Passkeys" });
    const add = page.getByRole("button", { name: "Add passkey" });
    await add.press("Enter");
    await list.getByText(/Not used yet/).waitFor();
    await page.getByText(/^Codes by email work too/).waitFor();
    const second = await addAuthenticator(page, "usb");
    await add.press("Enter");
    await until("there are two passkeys", async () => (await list.getByText(/Not used yet/).count()) === 2);

    ageSessions(server);
    await page.getByRole("button", { name: "Log in with passkeys only" }).press("Enter");
    const only = page.getByRole("alertdialog", { name: "Log in with passkeys only?" });
    await only.getByRole("button", { name: "Passkeys only" }).press("Enter");
    const question = page.getByRole("dialog", { name: "Confirm that it is you" });
    await question.getByRole("button", { name: "Use a passkey" }).press("Enter");
    await page.getByText("Passkeys are required. A code by email is not enough.").waitFor();
    expect(await question.count()).to.equal(0);
    await expectAccessible(page, "passkeys only");

    for (const authenticatorId of [id, second.id])
      await cdp.send("WebAuthn.setAutomaticPresenceSimulation", { authenticatorId, enabled: false });
    await signOut(page);
    await page.getByLabel("Email address").fill("only@example.org");
    await pressUntil(
      page.getByRole("button", { name: "Log in" }),
      page.getByRole("textbox", { name: "Verification code" }),
    );
    await until("the mail names the passkey", async () =>
      (await outboxOf(server)).some((mail) => mail.includes("only@example.org") && mail.includes("passkey")),
    );
    // As a new visit: an authenticator that did not answer keeps what it was asked for.
    await page.evaluate(() => sessionStorage.clear());
    await page.goto(addressOf(server));
    await page.reload();
    await page.getByRole("button", { name: "Use a passkey" }).waitFor();
    await cdp.send("WebAuthn.setAutomaticPresenceSimulation", { authenticatorId: id, enabled: true });
    const isLoggedIn = page.getByRole("heading", { name: /Encrypt your mail|Your Email Masks/ }).first();
    // The browser may have offered the passkey in the field already, and the authenticator taken the offer.
    const press = page.getByRole("button", { name: "Use a passkey" }).click();
    await Promise.race([press.catch(() => isLoggedIn.waitFor()), isLoggedIn.waitFor()]);
    await isLoggedIn.waitFor();
    await page.context().close();
  });

  it("open the mail of a new device by the touch that logs in", async () => {
    const page = await open("reads@example.org");
    const { cdp, id } = await addAuthenticator(page, "internal", { hasPrf: true });
    await openSettings(page, "security");
    const card = page.getByRole("article", { name: "Email Encryption" });
    await setUpKey(card, "apricot window seventeen lantern");
    await page.getByText("This device holds the private key and can open your mail.").waitFor();
    await page.getByRole("button", { name: "Add passkey" }).press("Enter");
    const list = page.getByRole("list", { name: "Passkeys" });
    await list.getByText(/Not used yet/).waitFor();
    const letOpen = page.getByRole("button", { name: "Let a passkey open my mail" });
    await letOpen.press("Enter");
    await list.getByText(/Opens your mail/).waitFor();
    await expectAccessible(page, "a passkey that opens mail");
    const { credentials } = await cdp.send("WebAuthn.getCredentials", { authenticatorId: id });

    // The same authenticator at a browser without anything stored.
    await cdp.send("WebAuthn.setAutomaticPresenceSimulation", { authenticatorId: id, enabled: false });
    await page.getByRole("button", { name: "Log out" }).first().press("Enter");
    const question = page.getByRole("alertdialog", { name: "Log out?" });
    await question.getByRole("button", { name: /^Log out/ }).press("Enter");
    await page.getByRole("button", { name: "Use a passkey" }).waitFor();
    await cdp.send("WebAuthn.setAutomaticPresenceSimulation", { authenticatorId: id, enabled: true });
    const masks = page.getByRole("heading", { name: "Your Email Masks" });
    const press = page.getByRole("button", { name: "Use a passkey" }).click();
    await Promise.race([press.catch(() => masks.waitFor()), masks.waitFor()]);
    await page.getByText("This device can open your mail now").waitFor();
    await openSettings(page, "security");
    await page.getByText("This device holds the private key and can open your mail.").waitFor();
    expect(credentials).to.have.length(1);
    await page.context().close();
  });

  it("say so where their authenticator derives no secrets", async () => {
    const page = await open("plain@example.org");
    await addAuthenticator(page);
    await openSettings(page, "security");
    const card = page.getByRole("article", { name: "Email Encryption" });
    await setUpKey(card, "apricot window seventeen lantern");
    await page.getByText("This device holds the private key and can open your mail.").waitFor();
    await page.getByRole("button", { name: "Add passkey" }).press("Enter");
    // Two questions to an authenticator at a time end the first one.
    await page
      .getByRole("list", { name: "Passkeys" })
      .getByText(/Not used yet/)
      .waitFor();
    await page.getByRole("button", { name: "Let a passkey open my mail" }).press("Enter");
    await page.getByText(/^This passkey cannot open keys/).waitFor();
    await page.context().close();
  });
});
