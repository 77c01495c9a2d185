import type { MailboxKey } from "../../../core/mail/emailAddress.ts";
import type { Time } from "../../platform/store/tables.ts";

/** A mailbox at the payment provider: of a user, or of someone who pays before signing up (D36). */
export interface BillingCustomersTable {
  id: string;
  email_key: MailboxKey;
  /** null before the account exists. */
  user_id: string | null;
  /** null until the provider has assigned it. */
  customer_id: string | null;
  /** The subscription that is paid or awaits payment; null if there is none. */
  subscription_id: string | null;
  /** The paid tier; null if none is paid. */
  tier: string | null;
  /** The provider's status of the subscription. */
  status: string;
  /** The end of the paid plan, after a cancellation. */
  ends_at: Time | null;
  /** The number of requests about this customer to the provider. */
  asked: number;
  /** The number of the request whose answer is stored. */
  known: number;
  created_at: Time;
}

/** Events of the provider that have been processed. */
export interface BillingEventsTable {
  event_id: string;
  created_at: Time;
}

/** Customers without an account, whose payments must be canceled at the provider. */
export interface BillingCancellationsTable {
  customer_id: string;
  tries: number;
  next_at: Time;
}

declare module "../../platform/store/tables.ts" {
  interface Tables {
    billing_customers: BillingCustomersTable;
    billing_events: BillingEventsTable;
    billing_farewells: BillingCancellationsTable;
  }
}
