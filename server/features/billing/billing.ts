import type { Checkout } from "../../../core/billing/billingEndpoints.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import type { Random } from "../../../core/ports/random.ts";
import type { Tier } from "../../../core/tiers/tier.ts";
import type { BillingConfig } from "../../platform/config/config.ts";
import { UseCaseError } from "../../platform/errors/useCaseError.ts";
import type { Database } from "../../platform/store/database.ts";
import type { EventFeed } from "../../platform/store/eventFeed.ts";
import { getUser, type UserRow } from "../../platform/store/users.ts";
import {
  alreadyPaid,
  type Buyer,
  type CheckoutRequest,
  createCheckout,
  createCustomers,
  createSignUpPayment,
} from "./checkout.ts";
import { findCustomerOfMailbox, isEventProcessed } from "./customerQueries.ts";
import { createTierOfPrice } from "./paidPlan.ts";
import { type PaymentProvider, PaymentProviderError } from "./paymentProvider.ts";
import { createSyncPaidPlan } from "./syncPaidPlan.ts";

/** The billing of paid plans. A failure of the payment provider becomes a "provider-failed" error. */
export interface Billing {
  /** Opens a payment form for a user. Rejects with 409 when the user already pays. */
  readonly checkout: (userId: string, request: CheckoutRequest) => Promise<Checkout>;
  /** Opens a payment form for a mailbox without an account; null when the mailbox has already paid. */
  readonly signUpCheckout: (
    buyer: Omit<Buyer, "userId">,
    request: CheckoutRequest,
  ) => Promise<Checkout | null>;
  /** Rejects with 402 unless the chosen plan of the sign-up is paid. */
  readonly signUpPayment: (email: string, checkoutSessionId: string | undefined) => Promise<void>;
  /** Returns the URL of the billing page. */
  readonly portal: (userId: string, purpose: "upgrade" | "manage") => Promise<string>;
  /** Reads from the provider what a user pays and returns the updated user. */
  readonly syncPaidPlan: (userId: string) => Promise<UserRow>;
  /** Handles a signed webhook message; returns false when the signature is not from the provider. */
  readonly handleWebhook: (body: Uint8Array, signature: string) => Promise<boolean>;
}

export interface BillingDeps {
  readonly config: BillingConfig;
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly feed: Pick<EventFeed, "wake">;
  readonly provider: PaymentProvider;
  /** The tier of users without a paid plan. */
  readonly defaultTier: Tier;
  /** Called with the reason of a provider failure; the reason contains no secrets. */
  readonly onFailure: (reason: string) => void;
}

const providerUnavailable = (): UseCaseError =>
  new UseCaseError("provider-failed", "The payment provider does not answer. Try again in a moment");

export const createUserBilling = (deps: BillingDeps): Billing => {
  const { config, database, clock, provider, onFailure } = deps;
  const { db } = database;
  const syncPaidPlan = createSyncPaidPlan({ ...deps, tierOf: createTierOfPrice(config) });
  const checkout = createCheckout({ ...deps, syncPaidPlan, prices: config.prices });
  const customers = createCustomers(deps);
  const signUpPayment = createSignUpPayment({ database, provider, syncPaidPlan });

  const withProviderErrors = async <A>(work: () => Promise<A>): Promise<A> => {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof PaymentProviderError)) throw error;
      onFailure(error.message);
      throw providerUnavailable();
    }
  };
  const buyerOf = async (userId: string): Promise<Buyer> => {
    const user = await getUser(db, userId);
    return { email: user.email, emailKey: user.email_key, userId };
  };

  return {
    checkout: (userId, request) =>
      withProviderErrors(async () => {
        const buyer = await buyerOf(userId);
        const form = await checkout(buyer, request);
        if (form) return form;
        throw alreadyPaid((await findCustomerOfMailbox(db, buyer.emailKey))?.tier ?? "");
      }),
    signUpCheckout: (buyer, request) =>
      withProviderErrors(() => checkout({ ...buyer, userId: null }, request)),
    signUpPayment: (email, session) => withProviderErrors(() => signUpPayment(email, session)),
    portal: (userId, purpose) =>
      withProviderErrors(async () => {
        const { customer_id, subscription_id } = await customers(await buyerOf(userId));
        return provider.portal(customer_id, purpose === "upgrade" ? subscription_id : null);
      }),
    syncPaidPlan: (userId) =>
      withProviderErrors(async () => {
        const { emailKey } = await buyerOf(userId);
        const customer = await findCustomerOfMailbox(db, emailKey);
        if (customer?.customer_id) await syncPaidPlan(customer.customer_id);
        return getUser(db, userId);
      }),
    handleWebhook: (body, signature) =>
      withProviderErrors(async () => {
        const event = provider.readEvent(body, signature, clock.now());
        if (!event) return false;
        if (event.customerId !== null && !(await isEventProcessed(db, event.id)))
          await syncPaidPlan(event.customerId, event.id);
        return true;
      }),
  };
};
