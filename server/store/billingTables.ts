// Who pays for what.
import type { Time } from "./columns.ts";

/** A mailbox as the payment provider knows it: with a user, or with somebody who pays before signing up (D36). */
export interface BillingCustomersTable {
  id: string;
  email_key: string;
  /** null before the account is made. */
  user_id: string | null;
  /** The provider's name for them; null while that is being asked for. */
  customer_id: string | null;
  /** The subscription that is being paid, or waits to be; null without one. */
  subscription_id: string | null;
  /** What is paid; null for nothing. */
  tier: string | null;
  /** The provider's word for how the payment stands. */
  status: string;
  /** When what is paid ends, after a cancellation. */
  ends_at: Time | null;
  /** How often the provider was asked: each asking is numbered. */
  asked: number;
  /** The number of the asking whose answer stands here. */
  known: number;
  created_at: Time;
}

/** Events of the provider that have had their effect. */
export interface BillingEventsTable {
  event_id: string;
  created_at: Time;
}

/** Customers whose account is gone and who must not pay any more. */
export interface BillingFarewellsTable {
  customer_id: string;
  tries: number;
  next_at: Time;
}
