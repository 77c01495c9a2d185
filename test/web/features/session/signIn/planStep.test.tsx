import "../../../../support/dom.ts";
import { screen, waitFor, within } from "@testing-library/react";
import { expect } from "chai";
import { createUser } from "../../../../fakes/productServer.ts";
import { sellingConfiguration } from "../../../../fakes/sellingConfiguration.ts";
import { useDom } from "../../../../support/jsdom.ts";
import { closePages, type OpenPage, type openPage } from "../../../support/openPage.tsx";
import { atTheCode, enter } from "../../../support/signIn.ts";

describe("The plan step", () => {
  useDom();
  afterEach(closePages);

  const atThePlans = async (options: Parameters<typeof openPage>[0] = {}): Promise<OpenPage> => {
    const page = await atTheCode({ isNew: true, ...options });
    await enter(page, "Verification code", "123456");
    await screen.findByRole("heading", { name: /^(?:Choose a plan|Create your account)$/ });
    await page.advance(500);
    return page;
  };

  it("offers four plans with their prices and limits; Free creates the account", async () => {
    const page = await atThePlans();
    const plan = (name: RegExp): HTMLInputElement => screen.getByRole("radio", { name });
    expect(plan(/^Free\s*\$0\s*a month\s*2 masks\s*100 emails a month$/).checked).to.equal(true);
    plan(/^Basic\s*\$2.99\s*a month\s*10 masks\s*500 emails a month/);
    plan(/^Pro\s*\$6.99\s*a month\s*25 masks\s*2,000 emails a month/);
    plan(/^Premium\s*\$12.99\s*a month\s*Unlimited masks\s*5,000 emails a month/);
    await page.press("Continue with Free");
    expect(page.server.requestsTo("POST /signup").map(({ body }) => body)).to.deep.equal([
      { tempToken: "ticket", tier: "free" },
    ]);
    await screen.findByRole("heading", { name: "Protect your account" });
  });

  for (const [where, configuration, title] of [
    ["plans are sold", sellingConfiguration, "Choose a plan"],
    [
      "every account has the same plan",
      { brand: "Bauta", maskDomain: "masks.example", defaultTier: "self_hosted" },
      "Create your account",
    ],
  ] as const)
    it(`is called "${title}" in its heading and the title of the page where ${where}`, async () => {
      await atThePlans({ settings: { configuration } });
      screen.getByRole("heading", { name: title });
      expect(document.title).to.equal(`${title} · Bauta`);
    });

  it("says that payment is not configured, and disables paid plans (D38)", async () => {
    await atThePlans();
    const paid = screen.getAllByRole<HTMLInputElement>("radio").slice(1);
    expect(paid.map(({ disabled }) => disabled)).to.deep.equal([true, true, true]);
    expect(screen.getAllByText("Payment is not set up on this server")).to.have.length(3);
  });

  const selling = { settings: { configuration: sellingConfiguration } };
  const checkout = { clientSecret: "cs_1_secret", checkoutSessionId: "cs_1" };

  /** Opens the plan step with Pro selected and its payment form open. */
  const atThePayment = async (): Promise<OpenPage> => {
    const page = await atThePlans(selling);
    page.server.on("POST", "/signup/checkout", { json: checkout });
    await page.user.click(screen.getByRole("radio", { name: /^Pro\s*\$/ }));
    await page.press("Continue with Pro");
    await screen.findByRole("dialog", { name: "Upgrade Your Plan" });
    await waitFor(() => expect(page.paymentForms.shown()).not.to.equal(undefined));
    return page;
  };

  it("charges a paid plan first, and creates the account with the checkout (SI11, D36)", async () => {
    const page = await atThePayment();
    expect(page.server.requestsTo("POST /signup/checkout").map(({ body }) => body)).to.deep.equal([
      { tempToken: "ticket", priceId: "price_p", mode: "subscription" },
    ]);
    expect(page.paymentForms.shown()?.clientSecret).to.equal("cs_1_secret");
    expect(page.server.requestsTo("POST /signup")).to.deep.equal([]);
    await page.act(page.paymentForms.pay);
    expect(page.server.requestsTo("POST /signup").map(({ body }) => body)).to.deep.equal([
      { tempToken: "ticket", tier: "pro", checkoutSessionId: "cs_1" },
    ]);
    await screen.findByRole("heading", { name: "Protect your account" });
  });

  it("does not charge twice when creating the account fails", async () => {
    const page = await atThePayment();
    page.server.on("POST", "/signup", { status: 409, json: { message: "Please try again" } });
    await page.act(page.paymentForms.pay);
    within(screen.getByRole("alert")).getByText("Please try again");
    page.server.on("POST", "/signup", { json: { token: "a.b.c", user: createUser("new@example.org") } });
    await page.advance(500);
    await page.press("Finish sign-up");
    expect(page.server.requestsTo("POST /signup/checkout")).to.have.length(1);
    expect(page.server.requestsTo("POST /signup").map(({ body }) => body)).to.deep.include({
      tempToken: "ticket",
      tier: "pro",
      checkoutSessionId: "cs_1",
    });
    await screen.findByRole("heading", { name: "Protect your account" });
  });

  it("creates the account at once for an address that has already paid", async () => {
    const page = await atThePlans(selling);
    page.server.on("POST", "/signup/checkout", { json: { paid: true } });
    await page.user.click(screen.getByRole("radio", { name: /^Pro\s*\$/ }));
    await page.press("Continue with Pro");
    await screen.findByRole("heading", { name: "Protect your account" });
    expect(page.server.requestsTo("POST /signup").map(({ body }) => body)).to.deep.equal([
      { tempToken: "ticket", tier: "pro" },
    ]);
  });

  it("goes back to the plans when the payment is canceled", async () => {
    const page = await atThePayment();
    await page.user.click(
      within(screen.getByRole("dialog", { name: "Upgrade Your Plan" })).getByRole("button", {
        name: "Cancel",
      }),
    );
    expect(page.paymentForms.shown()).to.equal(undefined);
    expect(screen.getByRole<HTMLInputElement>("radio", { name: /^Pro\s*\$/ }).checked).to.equal(true);
    expect(page.server.requestsTo("POST /signup")).to.deep.equal([]);
  });

  it("offers no choice where everybody has the same plan", async () => {
    const page = await atThePlans({
      settings: {
        configuration: { brand: "Bauta", maskDomain: "masks.example", defaultTier: "pro_premium" },
      },
    });
    screen.getByText(/Everybody on this server has 5,000 emails a month/);
    expect(screen.queryAllByRole("radio")).to.deep.equal([]);
    await page.press("Create account");
    await screen.findByRole("heading", { name: "Protect your account" });
  });

  const ownServer = {
    settings: { configuration: { brand: "Bauta", maskDomain: "masks.example", defaultTier: "self_hosted" } },
  };

  it("offers no plan to users whom the server does not limit (D48)", async () => {
    const page = await atThePlans(ownServer);
    screen.getByText(/You can have as many masks as you like/);
    expect(screen.queryAllByRole("radio")).to.deep.equal([]);
    await page.press("Create account");
    await screen.findByRole("heading", { name: "Protect your account" });
  });

  it("asks for the invitation where one is required, and reads it from the link that opened the app", async () => {
    window.location.hash = "#invite=from-the-link";
    const page = await atTheCode({ isNew: true, ...ownServer });
    page.server.on("PUT", "/login", {
      json: { status: "plan_selection_required", tempToken: "ticket", needsInvitation: true },
    });
    await enter(page, "Verification code", "123456");
    const field = await screen.findByRole<HTMLInputElement>("textbox", { name: "Invitation" });
    expect(field.value).to.equal("from-the-link");
    await page.advance(500);
    page.server.on("POST", "/signup", {
      status: 403,
      json: {
        message: "Used",
        errors: [{ field: "invitation", message: "This invitation was used already" }],
      },
    });
    await page.press("Create account");
    screen.getByText("This invitation was used already");
    await page.user.clear(field);
    await page.user.paste("https://app.example.org/login#invite=another");
    expect(field.value).to.equal("another");
    page.server.on("POST", "/signup", { json: { token: "a.b.c", user: createUser("new@example.org") } });
    await page.advance(500);
    await page.press("Create account");
    expect(page.server.requestsTo("POST /signup").map(({ body }) => body)).to.deep.equal([
      { tempToken: "ticket", tier: "free", invitation: "from-the-link" },
      { tempToken: "ticket", tier: "free", invitation: "another" },
    ]);
    window.location.hash = "";
  });

  it("goes back to the code step, with the code cleared, on Cancel (SI11)", async () => {
    const page = await atThePlans();
    await page.press("Cancel");
    expect(screen.getByLabelText<HTMLInputElement>("Verification code").value).to.equal("");
    expect(screen.queryByRole("heading", { name: "Choose a plan" })).to.equal(null);
  });

  it("says after Cancel that the code was used, and sends another at once (SI11)", async () => {
    const page = await atThePlans();
    await page.press("Cancel");
    screen.getByText(/This code was already used, and works only once/);
    await page.press("Resend code");
    expect(page.server.requestsTo("POST /login")).to.have.length(2);
    expect(screen.queryByText(/This code was already used/)).to.equal(null);
    screen.getByText(/A new code is on its way/);
  });
});
