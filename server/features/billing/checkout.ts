import type { Checkout, PaymentMode } from "../../../core/billing/billingEndpoints.ts";
import { mailboxKey } from "../../../core/mail/emailAddress.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import type { Random } from "../../../core/ports/random.ts";
import { labelOf, parseTier } from "../../../core/tiers/tier.ts";
import type { BillingConfig } from "../../platform/config/config.ts";
import { fieldError, UseCaseError } from "../../platform/errors/useCaseError.ts";
import type { Database } from "../../platform/store/database.ts";
import { newId } from "../../platform/store/id.ts";
import {
  type BillingCustomerRow,
  ensureCustomer,
  findCustomerOfMailbox,
  type Payer,
  setProviderCustomerId,
} from "./customerQueries.ts";
import type { PaymentProvider } from "./paymentProvider.ts";
import type { SyncPaidPlan } from "./syncPaidPlan.ts";

export interface CheckoutDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly provider: PaymentProvider;
  readonly syncPaidPlan: SyncPaidPlan;
  readonly prices: BillingConfig["prices"];
}

/** The payer with the address for mails of the provider. */
export interface Buyer extends Payer {
  readonly email: string;
}

/** A customer that has an id at the provider. */
export type NamedCustomer = BillingCustomerRow & { readonly customer_id: string };

const notSold = (): UseCaseError =>
  fieldError("invalid", "priceId", "This plan is not sold here. Reload the page to see those that are.");
const onlyMonthly = (): UseCaseError => fieldError("invalid", "mode", "Plans are paid each month here.");
const openPayment = (): UseCaseError =>
  new UseCaseError("conflict", "A payment for your plan is still open. Settle it under Manage Plan.");
const accountChanged = (): UseCaseError =>
  new UseCaseError("conflict", "This account has changed. Reload the page.");

const isNamed = (row: BillingCustomerRow | undefined): row is NamedCustomer =>
  typeof row?.customer_id === "string";

/** Creates the function that registers a mailbox at the provider, once even with concurrent calls. */
export const createCustomers =
  ({ database, clock, random, provider }: Omit<CheckoutDeps, "syncPaidPlan" | "prices">) =>
  async ({ email, ...payer }: Buyer): Promise<NamedCustomer> => {
    const { db } = database;
    const row = await ensureCustomer(db, payer, { id: newId(random), now: clock.now() });
    if (isNamed(row)) return row;
    const customerId = await provider.createCustomer({ email, key: row.id });
    // An account that was deleted meanwhile gets no customer, because nothing would delete it.
    if (!(await setProviderCustomerId(db, row.id, customerId))) throw accountChanged();
    return { ...row, customer_id: customerId };
  };

/** The requested price and payment mode. */
export interface CheckoutRequest {
  readonly priceId: string;
  readonly mode?: PaymentMode | undefined;
}

/**
 * Creates the function that opens a payment form for a sold price; null when the mailbox already pays. It
 * closes earlier open forms, so that nobody pays twice.
 */
export const createCheckout = (deps: CheckoutDeps) => {
  const customers = createCustomers(deps);
  const { database, provider, syncPaidPlan, prices } = deps;
  return async (
    buyer: Buyer,
    { priceId, mode = "subscription" }: CheckoutRequest,
  ): Promise<Checkout | null> => {
    if (!Object.values(prices).some(([sold]) => sold === priceId)) throw notSold();
    if (mode !== "subscription") throw onlyMonthly();
    const knownCustomer = await customers(buyer);
    await syncPaidPlan(knownCustomer.customer_id);
    const current = await findCustomerOfMailbox(database.db, buyer.emailKey);
    if (current?.tier) return null;
    if (current?.subscription_id) throw openPayment();
    const customer = isNamed(current) ? current : await customers(buyer);
    await provider.closeCheckouts(customer.customer_id);
    return provider.openCheckout({ customerId: customer.customer_id, priceId, mode });
  };
};

/** The 409 error for a second plan beside a paid one. */
export const alreadyPaid = (tier: string): UseCaseError =>
  new UseCaseError(
    "conflict",
    `You have the ${labelOf[parseTier(tier)]} plan already. Change it under Manage Plan, then reload the page.`,
  );

const unpaid = (): UseCaseError =>
  new UseCaseError(
    "unpaid",
    "The payment of this plan is not complete. Pay it first, or choose the Free plan.",
  );

/**
 * Creates the function that checks before a sign-up that the plan is paid, by the given or an earlier checkout
 * of the mailbox (D36), and stores the paid plan. Rejects with 402.
 */
export const createSignUpPayment =
  ({
    database,
    provider,
    syncPaidPlan,
  }: {
    readonly database: Database;
    readonly provider: PaymentProvider;
    readonly syncPaidPlan: SyncPaidPlan;
  }) =>
  async (email: string, checkoutSessionId: string | undefined): Promise<void> => {
    const customer = await findCustomerOfMailbox(database.db, mailboxKey(email));
    if (typeof customer?.customer_id !== "string") throw unpaid();
    if (checkoutSessionId !== undefined) {
      const session = await provider.checkoutSession(checkoutSessionId);
      if (session?.customerId !== customer.customer_id || !session.isPaid) throw unpaid();
    }
    const current = await syncPaidPlan(customer.customer_id);
    if (!current?.tier) throw unpaid();
  };
