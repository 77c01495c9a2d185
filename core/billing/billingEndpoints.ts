import * as t from "io-ts";
import { endpoint } from "../api/endpoint.ts";
import { WebAddress } from "../api/inputCodecs.ts";
import { Tier } from "../tiers/tier.ts";

/** A monthly subscription or a single payment. */
export const PaymentMode = t.union([t.literal("subscription"), t.literal("payment")]);
export type PaymentMode = t.TypeOf<typeof PaymentMode>;

/** The data that a payment form is opened with. */
export const Checkout = t.type({ clientSecret: t.string, checkoutSessionId: t.string });
export type Checkout = t.TypeOf<typeof Checkout>;

const CheckoutInput = t.intersection([
  t.type({ priceId: t.string }),
  /** "subscription" when left out. */
  t.partial({ mode: PaymentMode }),
]);

/**
 * Starts the payment of one of the server's prices; 409 for a user who already pays for a plan, 402 where the server sells none, 502
 * when the payment provider does not answer.
 */
export const startCheckout = endpoint("POST", "/billing/checkout", { body: CheckoutInput, answer: Checkout });

/**
 * Starts a payment for a verified visitor without an account. `paid`: paid before, only the sign-up is missing. 401 when the sign-up has
 * expired, 402 where the server sells no plans, 409 when a payment is still open, 502 when the payment provider does not answer.
 */
export const startSignUpCheckout = endpoint("POST", "/signup/checkout", {
  authentication: "none",
  body: t.intersection([CheckoutInput, t.type({ tempToken: t.string })]),
  answer: t.union([Checkout, t.type({ paid: t.literal(true) })]),
});

/**
 * Updates the caller's plan from the payment provider without waiting for its webhook. 402 where the server sells no plans, 502 when the
 * payment provider does not answer.
 */
export const settlePayment = endpoint("POST", "/billing/settle", {
  answer: t.type({ tier: Tier, status: t.string }),
});

/**
 * Returns a single-use URL of the page where the caller manages plan, card and invoices. 402 where the server sells no plans, 502 when
 * the payment provider does not answer.
 */
export const openPortal = endpoint("POST", "/billing/portal", {
  body: t.type({ purpose: t.union([t.literal("upgrade"), t.literal("manage")]) }),
  answer: t.type({ url: WebAddress }),
});
