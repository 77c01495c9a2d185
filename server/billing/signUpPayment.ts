import { dayMs } from "../../core/kernel/durations.ts";
import { mailboxKey } from "../../core/mail/emailAddress.ts";
import { Refusal } from "../http/refusal.ts";
import { customerOfMailbox } from "../store/billingCustomers.ts";
import type { Database } from "../store/database.ts";
import type { Provider } from "./provider.ts";
import type { Settle } from "./settle.ts";

/** How long somebody who began to pay before signing up, and has not paid, is remembered. */
export const signUpPaymentForMs = 2 * dayMs;

const unpaid = (): Refusal =>
  new Refusal(402, "The payment of this plan is not complete. Please pay it first, or choose the Free plan.");

/**
 * Makes what sees to it, before an account is made, that its plan is paid: by the checkout somebody names, or by one
 * that this mailbox completed earlier (D36). What the mailbox pays stands in the store then. Rejects with 402.
 */
export const makeSignUpPayment =
  ({
    database,
    provider,
    settle,
  }: {
    readonly database: Database;
    readonly provider: Provider;
    readonly settle: Settle;
  }) =>
  async (email: string, checkoutSessionId: string | undefined): Promise<void> => {
    const customer = await customerOfMailbox(database.db, mailboxKey(email));
    if (typeof customer?.customer_id !== "string") throw unpaid();
    if (checkoutSessionId !== undefined) {
      const session = await provider.checkoutSession(checkoutSessionId);
      if (session?.customerId !== customer.customer_id || !session.isPaid) throw unpaid();
    }
    const now = await settle(customer.customer_id);
    if (!now?.tier) throw unpaid();
  };
