import type { PaymentMode } from "../../../core/billing/billingEndpoints.ts";

/** The part of a subscription that decides about the plan. */
export interface Subscription {
  readonly id: string;
  /** The status at the provider: "active", "past_due", "canceled" and others. */
  readonly status: string;
  readonly priceIds: readonly string[];
  /** The end after a cancellation, in milliseconds since 1970; null without one. */
  readonly endsAt: number | null;
}

/** A payment form and its result. */
export interface CheckoutSession {
  readonly customerId: string | null;
  /** True if the form is complete and paid or free of charge. */
  readonly isPaid: boolean;
}

/** A webhook event about a customer. */
export interface BillingEvent {
  readonly id: string;
  /** Null when the event concerns no customer. */
  readonly customerId: string | null;
}

/** A failed call to the payment provider. */
export class PaymentProviderError extends Error {}

/** The payment provider. All functions but `readEvent` reject with `PaymentProviderError`. */
export interface PaymentProvider {
  /** Creates a customer and returns its id; repeated calls with the same key return the same id. */
  readonly createCustomer: (customer: { readonly email: string; readonly key: string }) => Promise<string>;
  /** Returns all subscriptions of a customer, ended ones included; null for a deleted customer. */
  readonly subscriptions: (customerId: string) => Promise<readonly Subscription[] | null>;
  /** Closes the open payment forms of a customer, so that nobody pays twice. */
  readonly closeCheckouts: (customerId: string) => Promise<void>;
  readonly openCheckout: (checkout: {
    readonly customerId: string;
    readonly priceId: string;
    readonly mode: PaymentMode;
  }) => Promise<{ readonly clientSecret: string; readonly checkoutSessionId: string }>;
  /** Returns the payment form with this id, or null. */
  readonly checkoutSession: (id: string) => Promise<CheckoutSession | null>;
  /** Returns the URL of the billing page, or of the page that changes the given subscription. */
  readonly portal: (customerId: string, subscriptionId: string | null) => Promise<string>;
  /** Ends all payments of a customer immediately and deletes it; succeeds for a deleted one. */
  readonly deleteCustomer: (customerId: string) => Promise<void>;
  /** Decodes a signed message; null when the signature is invalid or too old. `now` is in milliseconds. */
  readonly readEvent: (body: Uint8Array, signature: string, now: number) => BillingEvent | null;
}
