import { expect } from "chai";
import type { Page } from "playwright-core";
import { post } from "../server/features/billing/support.ts";
import { expectAccessible } from "../support/accessible.ts";
import { type StripeStandIn, sellingSettings, startStripe } from "../support/stripeStandIn.ts";
import { tabLink } from "../support/tabLink.ts";
import { useProduct } from "./support/product.ts";
import { codeMailedTo } from "./support/server.ts";
import { type StripesScript, serveStripesScript } from "./support/stripeScript.ts";
import { createMask, skipSetup, type Visitor, type VisitorScreen } from "./support/visitor.ts";

const screen: VisitorScreen = { theme: "light", width: 1280, keepsNothing: true, hasClock: true };

describe("plans and payment, in a real browser", () => {
  let stripe: StripeStandIn;
  before(async () => {
    stripe = await startStripe();
  });
  const { server, visit, visitAs } = useProduct(() => ({
    ...sellingSettings,
    STRIPE_API_BASE: stripe.billing.apiBase,
  }));
  after(() => stripe.stop());
  /** Numbers the attempts of a test: each retry uses a new user. */
  let tries = 0;

  interface Payer extends Visitor {
    readonly script: StripesScript;
  }
  const open = async (email?: string): Promise<Payer> => {
    const visitor = await (email === undefined ? visit(screen) : visitAs(email, screen));
    return { ...visitor, script: await serveStripesScript(visitor.context, stripe) };
  };
  /** Returns the browser's complaints except those about requests to Stripe. */
  const complaintsOf = ({ complaints }: Visitor): readonly string[] =>
    complaints.filter(
      (text) => !/^a request to https:\/\/(?:js\.stripe\.com|billing\.stripe\.example)\//.test(text),
    );
  /** Delivers Stripe's pending webhooks, a second after the last ones: the page loads the account at most once a second. */
  const deliverWebhooks = async (page: Page): Promise<void> => {
    await page.clock.fastForward(1_100);
    for (const webhook of stripe.takeWebhooks()) expect(await post(server.url, webhook)).to.equal(200);
  };
  const plan = (page: Page) => page.getByRole("region", { name: "Plan" });
  const shows = (page: Page, label: string): Promise<void> =>
    plan(page).getByText(label, { exact: true }).waitFor();
  const meter = async (page: Page): Promise<string | null> =>
    plan(page).getByRole("meter", { name: "Masks" }).getAttribute("aria-valuetext");
  const subscribe = (page: Page): Promise<void> =>
    page
      .frameLocator("iframe[title='Secure payment form']")
      .getByRole("button", { name: "Subscribe" })
      .click();

  it("are upgraded, downgraded, overdue and canceled with live updates on a wide and a narrow screen", async () => {
    tries += 1;
    const email = `payer.${tries}@example.org`;
    const payer = await open(email);
    const { page, script } = payer;
    const look = (where: string): Promise<void> => expectAccessible(page, where);
    await createMask(page, "First");
    await createMask(page, "Second");
    await tabLink(page, "Account").click();
    await shows(page, "Free");

    await plan(page).getByRole("button", { name: "Choose a plan here" }).click();
    const window = page.getByRole("dialog", { name: "Upgrade Your Plan" });
    await window.getByText("Pro", { exact: true }).click();
    await look("the choice of plans");
    script.setReachable(false);
    await window.getByRole("button", { name: "Continue with Pro" }).click();
    await window.getByText("The payment form could not be loaded.").waitFor();
    await look("a form that does not come");
    script.setReachable(true);
    await window.getByRole("button", { name: "Try Again" }).click();
    await page.frameLocator("iframe[title='Secure payment form']").getByLabel("Card number").waitFor();
    await look("the payment form");
    await subscribe(page);
    await page.getByText("Subscription successful! Your plan has been upgraded.").waitFor();
    await window.waitFor({ state: "detached" });
    await shows(page, "Pro");
    expect(await meter(page)).to.equal("2 of 25 masks");
    expect(script.opened[0]).to.match(/^pk_test_standin,cs_\d+_secret$/);
    await deliverWebhooks(page);
    await look("the account that pays");

    const billingPage = page.waitForEvent("popup");
    await plan(page).getByRole("button", { name: "Manage Plan" }).click();
    const tab = await billingPage;
    await tab.waitForURL(/^https:\/\/billing\.stripe\.example\/cus_\d+$/);
    await tab.close();

    const [subscription] = stripe.subscriptionsOf(email);
    const id = subscription?.id ?? "";
    stripe.update(id, { price: "price_basic" });
    await deliverWebhooks(page);
    await shows(page, "Basic");
    expect(await meter(page)).to.equal("2 of 10 masks");

    stripe.update(id, { status: "past_due" });
    await deliverWebhooks(page);
    await plan(page)
      .getByText(/The last payment has failed/)
      .waitFor();
    await page
      .getByText(/The payment for your Basic plan has failed/)
      .first()
      .waitFor();
    await look("a payment that failed");

    stripe.update(id, { status: "canceled" });
    await deliverWebhooks(page);
    await shows(page, "Free");
    await tabLink(page, "Masks").click();
    for (const name of ["First", "Second"]) await page.getByRole("heading", { name }).waitFor();
    // The failed load of the script is a console error, which this test causes on purpose.
    expect(complaintsOf(payer).filter((text) => !text.includes("ERR_CONNECTION_FAILED"))).to.deep.equal([]);
  });

  it("are paid before the account exists, and active from its creation", async () => {
    const payer = await open();
    const { page } = payer;
    tries += 1;
    const email = `begins.with.premium.${tries}@example.org`;
    await page.getByRole("textbox", { name: "Email address" }).fill(email);
    await page.getByRole("button", { name: "Log in" }).click();
    await page.getByRole("textbox", { name: "Verification code" }).fill(await codeMailedTo(server, email));
    await page.getByRole("radio", { name: /^Premium/ }).check({ force: true });
    await page.getByRole("button", { name: "Continue with Premium" }).click();
    await page.getByRole("dialog", { name: "Upgrade Your Plan" }).waitFor();
    await expectAccessible(page, "the payment of who signs up");
    await subscribe(page);
    await skipSetup(page);
    await tabLink(page, "Account").click();
    await shows(page, "Pro Premium");
    expect(await meter(page)).to.equal("0 masks, no limit");
    expect(complaintsOf(payer)).to.deep.equal([]);
  });

  it("never write a key, a customer or a payment to the log", () => {
    for (const secret of ["sk_test", "whsec_", "cus_", "_secret", "sub_"])
      expect(server.output()).not.to.include(secret);
  });
});
