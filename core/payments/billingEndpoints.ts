import * as t from "io-ts";
import { endpoint } from "../contract/endpoint.ts";
import { Tier } from "../tiers/tier.ts";

/** A plan that is paid each month, or one payment for good (B4). */
export const PaymentMode = t.union([t.literal("subscription"), t.literal("payment")]);
export type PaymentMode = t.TypeOf<typeof PaymentMode>;

/** What a payment form is opened with. */
export const Checkout = t.type({ clientSecret: t.string, checkoutSessionId: t.string });
export type Checkout = t.TypeOf<typeof Checkout>;

const Wanted = t.intersection([
  t.type({ priceId: t.string }),
  /** "subscription" when left out. */
  t.partial({ mode: PaymentMode }),
]);

/** Begins the payment of a price this server sells (D60). 409 for somebody who has a plan that is being paid. */
export const startCheckout = endpoint("POST", "/billing/checkout", { body: Wanted, answer: Checkout });

/**
 * The same for somebody who has proved a mailbox and has no account yet (D36). `paid`: this mailbox has paid before and
 * only has to sign up.
 */
export const startSignUpCheckout = endpoint("POST", "/signup/checkout", {
  authentication: "none",
  body: t.intersection([Wanted, t.type({ tempToken: t.string })]),
  answer: t.union([Checkout, t.type({ paid: t.literal(true) })]),
});

/** Asks the provider what the caller pays for now, without waiting until it tells by itself. */
export const settlePayment = endpoint("POST", "/billing/settle", {
  answer: t.type({ tier: Tier, status: t.string }),
});

/** The address of the page where the caller changes plan or card, sees invoices, or cancels. It works once. */
export const openPortal = endpoint("POST", "/billing/portal", {
  body: t.type({ purpose: t.union([t.literal("upgrade"), t.literal("manage")]) }),
  answer: t.type({ url: t.string }),
});
