import { text } from "node:stream/consumers";
import {
  type Browser,
  type BrowserContext,
  type Download,
  type Locator,
  type Page,
  request,
} from "playwright-core";
import type { SignedIn } from "../../../core/session/sessionEndpoints.ts";
import { storedKeys } from "../../../core/storage/storedKeys.ts";
import type { Screen } from "../../support/screens.ts";
import { codeMailedTo, type RunningServer } from "./server.ts";

/** The screen on which a visitor begins. */
export interface VisitorScreen extends Screen {
  /** Blocks service workers, so that each file comes over the network. */
  readonly keepsNothing?: true;
  /** Gives its page a clock that the test can put forward. */
  readonly hasClock?: true;
}

/** A user with a separate browser context. */
export interface Visitor {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Everything the browser refused or could not run: errors, policy violations, requests to other hosts. */
  readonly complaints: readonly string[];
  readonly leave: () => Promise<void>;
}

/** Cookies and storage of a browser context. */
type Kept = Awaited<ReturnType<BrowserContext["storageState"]>>;

/** Opens the app in a new browser context with the cookies and storage of `kept`, empty by default. */
export const visit = async (
  browser: Browser,
  server: Pick<RunningServer, "url">,
  screen: VisitorScreen,
  kept?: Kept,
): Promise<Visitor> => {
  const context = await browser.newContext({
    ...(kept ? { storageState: kept } : {}),
    colorScheme: screen.theme,
    viewport: { width: screen.width, height: 800 },
    reducedMotion: "reduce",
    serviceWorkers: screen.keepsNothing ? "block" : "allow",
    permissions: ["clipboard-read", "clipboard-write"],
  });
  if (screen.hasClock) await context.clock.install();
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error" && !message.text().includes("status of 4"))
      complaints.push(message.text());
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(server.url) && !/^(data|blob):/.test(request.url()))
      complaints.push(`a request to ${request.url()}`);
  });
  await page.goto(server.url);
  return { page, context, complaints, leave: () => context.close() };
};

/** Creates a free account over HTTP and returns the cookies and storage of its session. */
export const createAccount = async (server: RunningServer, email: string): Promise<Kept> => {
  const api = await request.newContext({ baseURL: server.url });
  const send = async (method: "POST" | "PUT", path: string, data: object): Promise<unknown> => {
    const response = await api.fetch(path, { method, data });
    if (!response.ok()) throw new Error(`${method} ${path} answered with ${await response.text()}`);
    return response.json();
  };
  await send("POST", "/login", { email });
  const otp = await codeMailedTo(server, email);
  const { tempToken } = (await send("PUT", "/login", { email, otp })) as { readonly tempToken: string };
  const { token, user } = (await send("POST", "/signup", { tempToken, tier: "free" })) as SignedIn;
  const { cookies } = await api.storageState();
  await api.dispose();
  const stored = { authToken: token, userEmail: user.email, userData: JSON.stringify(user) };
  const localStorage = Object.entries(stored).map(([name, value]) => ({ name, value }));
  return { cookies, origins: [{ origin: server.url, localStorage }] };
};

/** Returns the text of a downloaded file. */
export const downloadedText = async (download: Download): Promise<string> =>
  text(await download.createReadStream());

/** Presses a button until `next` appears: a form ignores presses for 500 ms after it was submitted (SI7). */
export const pressUntil = async (button: Locator, next: Locator): Promise<void> => {
  const soon = { timeout: 700 };
  for (let tries = 0; tries < 40; tries += 1) {
    await button.click(soon).catch(() => undefined);
    if (
      await next.waitFor(soon).then(
        () => true,
        () => false,
      )
    )
      return;
  }
  throw new Error("the button leads nowhere");
};

/** Skips the key step, the last step of signing in for a user without a key. */
export const skipKeySetup = async (page: Page): Promise<void> => {
  await page.getByRole("heading", { name: "Encrypt your mail" }).waitFor();
  await page.getByRole("button", { name: "Not now" }).click();
  await page.getByRole("heading", { name: "Your Email Masks" }).waitFor();
};

/** Passes the steps that follow a sign-up without a key and a second factor. */
export const skipSetup = async (page: Page): Promise<void> => {
  await page.getByRole("heading", { name: "Encrypt your mail" }).waitFor();
  await page.getByRole("button", { name: "Not now" }).click();
  await skipTwoFactorSetup(page);
};

/**
 * Loads the page anew at an address of the app. Without the empty page between, only the part behind `#` would change, and
 * the page, which names its first screen there once it is ready, might take it back.
 */
export const loadAt = async (page: Page, url: string): Promise<void> => {
  await page.goto("about:blank");
  await page.goto(url);
};

/** Skips the two-factor step, the last one of a sign-up. */
export const skipTwoFactorSetup = async (page: Page): Promise<void> => {
  await page.getByRole("heading", { name: "Protect your account" }).waitFor();
  await page.getByRole("button", { name: "Not now" }).click();
  await page.getByRole("heading", { name: "Your Email Masks" }).waitFor();
};

/** Signs up, from the sign-in screen to the masks of the new account. */
export const signUp = async (
  { page }: Visitor,
  server: Pick<RunningServer, "dataDir">,
  email: string,
  look: (where: string) => Promise<void> = async () => {},
): Promise<void> => {
  await page.getByRole("heading", { name: "Sign in to Bauta" }).waitFor();
  await look("the first screen");
  await page.getByRole("textbox", { name: "Email address" }).fill(email);
  const code = page.getByRole("textbox", { name: "Verification code" });
  await pressUntil(page.getByRole("button", { name: "Log in" }), code);
  await look("the code step");
  await code.fill(await codeMailedTo(server, email));
  const create = page.getByRole("button", { name: /^(?:Create account|Continue with Free)$/ });
  await create.waitFor();
  await look("the last step");
  await create.click();
  await skipSetup(page);
};

/** Logs out, from any screen to the sign-in screen. */
export const signOut = async (page: Page): Promise<void> => {
  await page.getByRole("button", { name: "Log out" }).first().click();
  await page.getByRole("heading", { name: "Sign in to Bauta" }).waitFor();
};

/** Returns the keys of everything that is stored in the page once the server has answered its logout. */
export const storedAfterLogout = async (page: Page): Promise<readonly string[]> => {
  await page.waitForFunction((key) => localStorage.getItem(key) === null, storedKeys.owedLogout.name);
  return page.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)]);
};

/** Locates the card of a mask by its description. */
export const maskCard = (page: Page, description: string): Locator =>
  page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: description }) });

/**
 * Presses a button that copies and waits until the clipboard holds this text; presses again when a test that runs at
 * once has put something else there.
 */
export const expectCopied = async (button: Locator, text: string): Promise<void> => {
  const read = (): Promise<string> => button.page().evaluate(() => navigator.clipboard.readText());
  let copied = "";
  for (let tries = 0; tries < 20 && copied !== text; tries += 1) {
    await button.click();
    await button.page().getByText("Copied", { exact: true }).first().waitFor();
    copied = await read();
  }
  if (copied !== text) throw new Error("the clipboard never holds the text");
};

/** Returns the secret that the second step of setting up two-factor authentication shows. */
export const shownSecret = async (page: Page): Promise<string> => {
  const copy = page.getByRole("button", { name: /^Copy secret key [A-Z2-7]{32}$/ });
  return ((await copy.getAttribute("aria-label")) ?? "").replace("Copy secret key ", "");
};

/** Creates a mask in the page and returns its address from the card; tests that run at once share the clipboard. */
export const createMask = async (page: Page, description: string): Promise<string> => {
  await page.getByRole("button", { name: "Create Mask" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Create Mask" });
  await dialog.getByRole("textbox", { name: "Description" }).fill(description);
  await dialog.getByRole("button", { name: "Create Mask" }).click();
  await dialog.waitFor({ state: "hidden" });
  const copy = maskCard(page, description).getByRole("button", { name: /^Copy \S+@\S+$/ });
  // The focus moves there when the dialog has faded.
  await page.waitForFunction((button) => document.activeElement === button, await copy.elementHandle());
  return ((await copy.getAttribute("aria-label")) ?? "").replace("Copy ", "");
};

/** Shows a section of the settings by its address. */
export const openSettings = async (page: Page, section: string): Promise<void> => {
  await page.evaluate((address) => location.assign(address), `#settings/${section}`);
  // On a narrow screen the navigation is not shown beside a section.
  await page.locator(`a[href="#settings/${section}"][aria-current="page"]`).waitFor({ state: "attached" });
};

/** Makes a key on this device in the settings' card for encryption, and saves its backup with a passphrase. */
export const setUpKey = async (card: Locator, passphrase: string): Promise<void> => {
  const page = card.page();
  await card.getByRole("button", { name: "Setup Encryption" }).click();
  await page.getByRole("button", { name: "Generate Encryption Keys" }).click();
  await page.getByLabel("Passphrase for the backup").fill(passphrase);
  await page.getByLabel("Passphrase again").fill(passphrase);
  const backup = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download backup" }).click();
  await backup;
  await page.getByRole("checkbox", { name: /I have saved the backup/ }).check({ force: true });
  await page.getByRole("button", { name: "Switch on encryption" }).click();
  await page.getByRole("dialog", { name: "Encrypt your mail" }).getByRole("button", { name: "Done" }).click();
  await card.getByText("Configured", { exact: true }).waitFor();
};

/** Waits until the page's files are cached, so that it opens without a network. */
export const untilKept = async (page: Page): Promise<void> => {
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
};
