import { expect } from "chai";
import type { Page } from "playwright-core";
import { expectAccessible } from "../support/accessible.ts";
import { current } from "../support/current.ts";
import { type IdentityProvider, startIdentityProvider } from "../support/identityProvider.ts";
import { useProduct } from "./support/product.ts";
import { codeMailedTo } from "./support/server.ts";
import {
  openSettings,
  pressUntil,
  signOut,
  skipKeySetup,
  skipSetup,
  type Visitor,
} from "./support/visitor.ts";

const people = [
  { sub: "anna", email: "anna@home.example", email_verified: true },
  { sub: "bert", email: "bert@home.example", email_verified: true },
  { sub: "dora", email: "dora@home.example", email_verified: false },
];

/** Starts a provider at another site than the server, for the tests of a `describe`. */
const useProvider = (): IdentityProvider => {
  let provider: IdentityProvider | undefined;
  before(async () => {
    provider = await startIdentityProvider("localhost");
    provider.accounts.push(...people);
  });
  after(() => provider?.stop());
  return current(() => provider);
};

const settingsOf = ({ issuer, clientId, clientSecret }: IdentityProvider): NodeJS.ProcessEnv => ({
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID: clientId,
  OIDC_CLIENT_SECRET: clientSecret,
  OIDC_NAME: "Home",
});

const signInHeading = (page: Page) => page.getByRole("heading", { name: "Sign in to Bauta" });
const masksHeading = (page: Page) => page.getByRole("heading", { name: "Your Email Masks" });

const goAs = async (page: Page, person: string): Promise<void> => {
  await page.getByRole("link", { name: "Continue with Home" }).click();
  await page.getByRole("link", { name: `Log in as ${person}` }).click();
};

/** Logs out at the provider, in the same browser. */
const logOutThere = async ({ context }: Visitor, issuer: string): Promise<void> => {
  const page = await context.newPage();
  await page.goto(`${issuer}/session/end`);
  await page.getByRole("button", { name: "Log out" }).click();
  await page.waitForURL(/session\/end\/success/);
  await page.close();
};

describe("single sign-on, in a real browser", () => {
  const provider = useProvider();
  const { server, visit, visitAs } = useProduct(() => settingsOf(provider));
  before(() => provider.serve(server.url, `${server.url}/login/oidc/logout`));

  it("makes an account, signs in again, and ends with the provider's logout", async () => {
    const visitor = await visit();
    const { page } = visitor;
    await page.getByRole("link", { name: "Continue with Home" }).waitFor();
    await expectAccessible(page, "the sign-in page with a provider");
    await goAs(page, "anna");
    await page.getByRole("button", { name: "Create account" }).click();
    await skipSetup(page);
    expect(page.url()).not.to.include("sso");

    await openSettings(page, "account");
    const card = page.getByRole("article", { name: "Single sign-on" });
    await card.getByText("anna@home.example").waitFor();
    await expectAccessible(page, "the identities in the settings");

    await signOut(page);
    await page.getByRole("link", { name: "Continue with Home" }).click();
    await skipKeySetup(page);

    await logOutThere(visitor, provider.issuer);
    await signInHeading(page).waitFor();
    expect(visitor.complaints.filter((complaint) => !complaint.includes(provider.issuer))).to.deep.equal([]);
  });

  it("connects a known account by a code once, and disconnects it", async () => {
    const { page } = await visitAs("bert@home.example");
    await signOut(page);
    const seen = new Set([await codeMailedTo(server, "bert@home.example")]);
    await goAs(page, "bert");
    await page.getByText("It connects your account with Home").waitFor();
    await expectAccessible(page, "the code that connects");
    const code = page.getByRole("textbox", { name: "Verification code" });
    await code.fill(await codeMailedTo(server, "bert@home.example", seen));
    await skipKeySetup(page);
    await signOut(page);
    await page.getByRole("link", { name: "Continue with Home" }).click();
    await skipKeySetup(page);

    await openSettings(page, "account");
    const card = page.getByRole("article", { name: "Single sign-on" });
    await card.getByRole("button", { name: "Disconnect Home bert@home.example" }).click();
    const question = page.getByRole("alertdialog", { name: "Disconnect Home?" });
    await expectAccessible(page, "the question before it is disconnected");
    await question.getByRole("button", { name: "Disconnect" }).click();
    await card.getByText("Not connected yet").waitFor();
    await masksHeading(page).waitFor({ state: "hidden" });
  });

  it("says why it does not go on, and leads on by a code", async () => {
    const { page } = await visit();
    await goAs(page, "dora");
    await page.getByText("Home does not say that your email address is yours").waitFor();
    await expectAccessible(page, "the reason");
    await page.getByRole("textbox", { name: "Email address" }).fill("dora@home.example");
    const code = page.getByRole("textbox", { name: "Verification code" });
    await pressUntil(page.getByRole("button", { name: "Log in" }), code);
  });

  it("says nothing to who turns back", async () => {
    const { page } = await visit();
    await goAs(page, "nobody");
    await signInHeading(page).waitFor();
    expect(page.url()).to.equal(`${server.url}/login`);
    expect(await page.getByRole("alert").count()).to.equal(0);
  });
});

describe("single sign-on as the only way, in a real browser", () => {
  const provider = useProvider();
  const { server, visit } = useProduct(() => ({ ...settingsOf(provider), OIDC_ONLY: "on" }));
  before(() => provider.serve(server.url));

  it("is all that the page offers", async () => {
    const { page } = await visit();
    await page.getByText("You log in here with your account at Home").waitFor();
    expect(await page.getByRole("textbox").count()).to.equal(0);
    await expectAccessible(page, "the sign-in page with a provider alone");
    await goAs(page, "anna");
    await page.getByRole("button", { name: "Create account" }).click();
    await skipSetup(page);
  });
});
