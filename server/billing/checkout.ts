import type { Checkout, PaymentMode } from "../../core/payments/billingEndpoints.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { Random } from "../../core/ports/random.ts";
import { labelOf, tierNamed } from "../../core/tiers/tier.ts";
import type { BillingConfig } from "../config/billing.ts";
import { Refusal, refusedField } from "../http/refusal.ts";
import {
  type BillingCustomerRow,
  customerOfMailbox,
  ensureCustomer,
  nameCustomer,
  type Payer,
} from "../store/billingCustomers.ts";
import type { Database } from "../store/database.ts";
import { newId } from "../store/id.ts";
import type { Provider } from "./provider.ts";
import type { Settle } from "./settle.ts";

export interface CheckoutParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly provider: Provider;
  readonly settle: Settle;
  readonly prices: BillingConfig["prices"];
}

/** Who pays, with the address the provider writes to. */
export interface Buyer extends Payer {
  readonly email: string;
}

/** A customer with a name at the provider. */
export type NamedCustomer = BillingCustomerRow & { readonly customer_id: string };

const notSold = (): Refusal =>
  refusedField(400, "priceId", "This plan is not sold here. Reload the page to see those that are.");
const onlyMonthly = (): Refusal => refusedField(400, "mode", "Plans are paid each month here.");
const openPayment = (): Refusal =>
  new Refusal(409, "A payment for your plan is still open. Please settle it under Manage Plan.");
const gone = (): Refusal => new Refusal(409, "This account has changed. Please reload the page.");

const has = (row: BillingCustomerRow | undefined): row is NamedCustomer =>
  typeof row?.customer_id === "string";

/** Makes sure that the provider knows a mailbox, once, however often and by how many it is asked. */
export const makeCustomers =
  ({ database, clock, random, provider }: Omit<CheckoutParts, "settle" | "prices">) =>
  async ({ email, ...payer }: Buyer): Promise<NamedCustomer> => {
    const { db } = database;
    const row = await ensureCustomer(db, payer, { id: newId(random), now: clock.now() });
    if (has(row)) return row;
    const customerId = await provider.createCustomer({ email, key: row.id });
    // Whoever has lost their account meanwhile gets no customer that nobody would ever end.
    if (!(await nameCustomer(db, row.id, customerId))) throw gone();
    return { ...row, customer_id: customerId };
  };

/** What somebody wants to buy. */
export interface Wanted {
  readonly priceId: string;
  readonly mode?: PaymentMode | undefined;
}

/**
 * Makes what opens a payment form for a price that is sold here. null: this mailbox pays for a plan already. A form that
 * was open before is closed, so that nobody pays twice.
 */
export const makeCheckout = (parts: CheckoutParts) => {
  const customers = makeCustomers(parts);
  const { database, provider, settle, prices } = parts;
  return async (buyer: Buyer, { priceId, mode = "subscription" }: Wanted): Promise<Checkout | null> => {
    if (!Object.values(prices).some(([sold]) => sold === priceId)) throw notSold();
    if (mode !== "subscription") throw onlyMonthly();
    const known = await customers(buyer);
    await settle(known.customer_id);
    const now = await customerOfMailbox(database.db, buyer.emailKey);
    if (now?.tier) return null;
    if (now?.subscription_id) throw openPayment();
    const customer = has(now) ? now : await customers(buyer);
    await provider.closeCheckouts(customer.customer_id);
    return provider.openCheckout({ customerId: customer.customer_id, priceId, mode });
  };
};

/** The no to a second plan beside the one that is paid. */
export const paidAlready = (tier: string): Refusal =>
  new Refusal(
    409,
    `You have the ${labelOf[tierNamed(tier)]} plan already. Change it under Manage Plan, then reload the page.`,
  );
