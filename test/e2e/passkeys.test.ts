import { expect } from "chai";
import type { CDPSession, Page } from "playwright-core";
import { expectAccessible } from "../support/accessible.ts";
import { useBrowser } from "../support/browser.ts";
import { useServer } from "./support/product.ts";
import type { RunningServer } from "./support/server.ts";
import { createAccount } from "./support/visitor.ts";

/** Passkeys belong to names, so the page is opened by one in place of the number of this machine. */
const addressOf = ({ url }: RunningServer): string => url.replace("127.0.0.1", "localhost");

const addAuthenticator = async (page: Page): Promise<{ readonly cdp: CDPSession; readonly id: string }> => {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("WebAuthn.enable");
  const { authenticatorId: id } = await cdp.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
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
    await list.getByText(/Not used yet · Made .* · On one device only/).waitFor();
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
});
