import type { PaymentMode } from "../../core/payments/billingEndpoints.ts";

/** A subscription as far as it decides about a plan. */
export interface Subscription {
  readonly id: string;
  /** The provider's word: "active", "past_due", "canceled" … */
  readonly status: string;
  readonly priceIds: readonly string[];
  /** When it ends, after a cancellation; milliseconds since 1970. */
  readonly endsAt: number | null;
}

/** A payment as its form knows it. */
export interface CheckoutSession {
  readonly customerId: string | null;
  /** Complete, and paid or free of charge. */
  readonly isPaid: boolean;
}

/** Something that has happened to a customer. */
export interface BillingEvent {
  readonly id: string;
  /** null: it is about no customer. */
  readonly customerId: string | null;
}

/** The provider did not do it. */
export class ProviderFailure extends Error {}

/** What is asked of the payment provider. Everything but `readEvent` rejects with `ProviderFailure`. */
export interface Provider {
  /** The provider's name for a new customer; asked again under the same key, the same. */
  readonly createCustomer: (customer: { readonly email: string; readonly key: string }) => Promise<string>;
  /** Every subscription a customer ever had; null for a customer who is gone. */
  readonly subscriptions: (customerId: string) => Promise<readonly Subscription[] | null>;
  /** Closes the payment forms a customer has open, so that nobody pays twice. */
  readonly closeCheckouts: (customerId: string) => Promise<void>;
  readonly openCheckout: (wanted: {
    readonly customerId: string;
    readonly priceId: string;
    readonly mode: PaymentMode;
  }) => Promise<{ readonly clientSecret: string; readonly checkoutSessionId: string }>;
  /** null when there is none of this id. */
  readonly checkoutSession: (id: string) => Promise<CheckoutSession | null>;
  /** The address of the page where a customer changes things; with a subscription, where that is changed. */
  readonly portal: (customerId: string, subscriptionId: string | null) => Promise<string>;
  /** Ends everything a customer pays, at once, and forgets who they are; no error for one who is gone. */
  readonly deleteCustomer: (customerId: string) => Promise<void>;
  /** The event in a signed message; null when its signature is not the provider's, or too old. `now` in milliseconds. */
  readonly readEvent: (body: Uint8Array, signature: string, now: number) => BillingEvent | null;
}
