import { expect } from "chai";
import { isLeft, isRight } from "fp-ts/lib/Either.js";
import { type Billing, createPlanBilling, type Order } from "../../../core/billing/billing.ts";
import type { OpenCheckout } from "../../../core/billing/checkout.ts";
import { type AppOnFakes, type AppOnFakesOptions, startApp } from "../../fakes/appOnFakes.ts";
import { sellingConfiguration } from "../../fakes/sellingConfiguration.ts";
import { settled } from "../../fakes/virtualClock.ts";

describe("Payments", () => {
  let fakes: AppOnFakes;
  let payments: Billing;

  const begin = async (options: AppOnFakesOptions = {}): Promise<void> => {
    fakes = await startApp({ settings: { configuration: sellingConfiguration }, ...options });
    payments = fakes.app.feature(createPlanBilling);
    await settled();
    fakes.server.on("POST", "/billing/checkout", {
      json: { clientSecret: "cs_1_secret", checkoutSessionId: "cs_1" },
    });
    fakes.server.on("POST", "/billing/settle", { json: { tier: "pro", status: "active" } });
  };
  afterEach(() => fakes.stop());

  const order: Order = { tier: "pro", mode: "subscription", buyer: "user" };
  const pay = async (wanted = order): Promise<OpenCheckout> => {
    const checkout = payments.checkout(wanted, "place");
    await settled();
    return checkout;
  };
  const toasts = (): readonly string[] => fakes.app.toasts.list$.value.map(({ text }) => text);
  const kindOf = ({ step$ }: OpenCheckout): string => step$.value.kind;

  it("offer the plans of the table at the prices of the configuration (AC5, D10)", async () => {
    await begin();
    expect(
      payments.offers.map(({ name, tier, price, priceId }) => [name, tier, price, priceId]),
    ).to.deep.equal([
      ["Basic", "basic", 2.99, "price_b"],
      ["Pro", "pro", 6.99, "price_p"],
      ["Premium", "pro_premium", 12.99, "price_x"],
    ]);
    fakes.stop();
    await begin({ settings: {} });
    expect(payments.offers, "where no payment is set up").to.deep.equal([]);
  });

  it("have a placeholder for a price that the configuration leaves out, and a default price for none given (AC7)", async () => {
    const configuration = {
      ...sellingConfiguration,
      payments: { publishableKey: "pk_test_1", prices: { pro: "price_p" } },
    };
    await begin({ settings: { configuration } });
    expect(payments.offers.map(({ priceId }) => priceId)).to.deep.equal([
      "price_basic",
      "price_p",
      "price_premium",
    ]);
    await pay({ mode: "subscription", buyer: "user" });
    expect(fakes.server.requestsTo("POST /billing/checkout").map(({ body }) => body)).to.deep.equal([
      { priceId: "price_default", mode: "subscription" },
    ]);
  });

  it("open the provider's form, and after payment ask the server to check it, show a toast and reload the account (AC6)", async () => {
    await begin();
    const checkout = payments.checkout(order, "place");
    expect(kindOf(checkout)).to.equal("loading");
    await settled();
    expect(kindOf(checkout)).to.equal("open");
    expect(fakes.server.requestsTo("POST /billing/checkout").map(({ body }) => body)).to.deep.equal([
      { priceId: "price_p", mode: "subscription" },
    ]);
    expect(fakes.paymentForms.shown()).to.include({
      publishableKey: "pk_test_1",
      clientSecret: "cs_1_secret",
      elementId: "place",
    });
    const accounts = fakes.server.requestsTo("GET /account").length;
    fakes.paymentForms.pay();
    expect(kindOf(checkout)).to.equal("settling");
    await settled();
    expect(checkout.step$.value).to.deep.equal({ kind: "paid", checkoutSessionId: "cs_1" });
    expect(toasts()).to.deep.equal(["Subscription successful! Your plan has been upgraded."]);
    expect(fakes.server.requestsTo("GET /account")).to.have.length(accounts + 1);
    expect(fakes.paymentForms.shown(), "the form is gone").to.equal(undefined);
  });

  it('show "Payment successful!" after a single payment (AC6)', async () => {
    await begin();
    await pay({ ...order, mode: "payment" });
    fakes.paymentForms.pay();
    await settled();
    expect(toasts()).to.deep.equal(["Payment successful!"]);
  });

  it("of somebody who signs up are checked at the end of the sign-up, and not as those of an account", async () => {
    await begin({ isSignedIn: false });
    fakes.server.on("POST", "/signup/checkout", {
      json: { clientSecret: "cs_1_secret", checkoutSessionId: "cs_1" },
    });
    const checkout = await pay({ ...order, buyer: "new user" });
    fakes.paymentForms.pay();
    await settled();
    expect(kindOf(checkout)).to.equal("paid");
    expect(toasts()).to.deep.equal(["Subscription successful! Your plan has been upgraded."]);
    expect(fakes.server.requestsTo("POST /billing/checkout")).to.deep.equal([]);
    expect(fakes.server.requestsTo("POST /billing/settle")).to.deep.equal([]);
  });

  it("announce no plan that is not active yet, since some payments take days", async () => {
    await begin();
    fakes.server.on("POST", "/billing/settle", { json: { tier: "free", status: "active" } });
    await pay();
    fakes.paymentForms.pay();
    await settled();
    expect(toasts()).to.deep.equal([
      "Your payment is being processed. Your plan changes as soon as it has arrived.",
    ]);
  });

  it("count as paid when the provider confirms them, also when the server cannot be reached", async () => {
    await begin();
    const checkout = await pay();
    fakes.server.on("POST", "/billing/settle", { status: 409 });
    fakes.paymentForms.pay();
    await settled();
    expect(kindOf(checkout)).to.equal("paid");
    expect(toasts()).to.include("Subscription successful! Your plan has been upgraded.");
  });

  it("take effect even when the window is closed right afterwards", async () => {
    await begin();
    const checkout = await pay();
    fakes.paymentForms.pay();
    checkout.close();
    await settled();
    expect(fakes.server.requestsTo("POST /billing/settle")).to.have.length(1);
    expect(toasts()).to.deep.equal(["Subscription successful! Your plan has been upgraded."]);
  });

  it("show why the form cannot be opened: the server's message, or what to do", async () => {
    await begin();
    fakes.server.on("POST", "/billing/checkout", { status: 409, json: { message: "You pay already." } });
    const problemOf = ({ step$ }: OpenCheckout): string =>
      step$.value.kind === "failed" ? step$.value.problem.message : step$.value.kind;
    expect(problemOf(await pay())).to.equal("You pay already.");
    const unloaded = "The payment form could not be loaded. Check your connection, then try again.";
    await begin();
    fakes.paymentForms.setReachable(false);
    expect(problemOf(await pay())).to.equal(unloaded);
    fakes.paymentForms.setReachable(true);
    expect(kindOf(await pay()), "another try").to.equal("open");
  });

  it("give up on a form that does not load within 30 s, and remove it when it loads later", async () => {
    let removed = 0;
    let arrive: () => void = () => {};
    await begin({
      before: ({ ports }) =>
        Object.assign(ports, {
          paymentForms: {
            open: () => () =>
              new Promise((resolve) => {
                arrive = () => {
                  const remove = (): void => {
                    removed += 1;
                  };
                  resolve({ _tag: "Right", right: { remove } });
                };
              }),
          },
        }),
    });
    const checkout = await pay();
    await fakes.clock.advance(29_999);
    expect(kindOf(checkout)).to.equal("loading");
    await fakes.clock.advance(1);
    expect(kindOf(checkout)).to.equal("failed");
    arrive();
    await settled();
    expect(removed).to.equal(1);
  });

  it("leave no form behind when the window is closed before it has loaded", async () => {
    await begin();
    const checkout = payments.checkout(order, "place");
    checkout.close();
    await settled();
    expect(fakes.paymentForms.shown()).to.equal(undefined);
  });

  it("open the billing page, or report that it failed (AC1)", async () => {
    await begin();
    fakes.server.on("POST", "/billing/portal", { json: { url: "https://billing.example/1" } });
    const found = await payments.portal("manage")();
    expect(isRight(found) && found.right).to.equal("https://billing.example/1");
    const noPage = { json: { url: "javascript:alert(1)" } };
    for (const answer of [{ status: 400 }, noPage, "unreachable"] as const) {
      fakes.server.on("POST", "/billing/portal", answer);
      for (const [purpose, sentence] of [
        ["upgrade", "Failed to open upgrade page. Please try again."],
        ["manage", "Failed to open manage plan page. Please try again."],
      ] as const) {
        const failed = await payments.portal(purpose)();
        expect(isLeft(failed) && failed.left.message).to.equal(sentence);
      }
    }
  });
});
