// Masks, where their mail goes and what they have seen.
import type { Generated } from "kysely";
import type { Flag, Time } from "./columns.ts";

/** Where a user's mail may go (D33). */
export interface DestinationsTable {
  id: string;
  user_id: string;
  email: string;
  email_key: string;
  /** null while the link in the confirmation mail has not been opened. */
  confirmed_at: Time | null;
  token_hash: string | null;
  token_expires_at: Time | null;
  /** When the last confirmation mail went out; null if none did. */
  asked_at: Time | null;
  created_at: Time;
}

export interface MasksTable {
  id: string;
  user_id: string;
  destination_id: string;
  /** The address shown; older ones of the same mask stay in `mask_addresses`. */
  email: string;
  description: string;
  active: Flag;
  /** Whether a smaller plan has switched it off (D34): a larger one switches it on again. */
  paused: Generated<Flag>;
  custom_prefix: string | null;
  spam_filter: Flag;
  /** JSON. */
  rules: string;
  /** JSON. */
  metadata: string;
  created_at: Time;
  updated_at: Time;
}

/** A list of rules as a mask once had it. */
export interface RuleVersionsTable {
  mask_id: string;
  /** Hash of the list. */
  version: string;
  /** JSON. */
  rules: string;
  created_at: Time;
}

/** Every address ever given out, so that none is given to a second person. */
export interface MaskAddressesTable {
  email_key: string;
  /** null once the mask is deleted. */
  mask_id: string | null;
  created_at: Time;
}

export interface MaskStatisticsTable {
  mask_id: string;
  user_id: string;
  total_received: number;
  total_forwarded: number;
  spam_blocked: number;
  total_sent: number;
  last_used_at: Time | null;
  /** The month of its last mail ("2026-11", UTC), and how many came in it. */
  month: Generated<string>;
  month_received: Generated<number>;
  /** JSON: what rules did. */
  details: Generated<string>;
}

/** Who was answered by a rule, so that nobody is answered again too soon (RFC 3834). */
export interface AutomaticAnswersTable {
  user_id: string;
  mask_id: string;
  /** Keyed by the mask. */
  sender_hash: string;
  answered_at: Time;
}

/** Mail that counted against the plan, by calendar month in UTC ("2026-11"). */
export interface MonthlyUsageTable {
  user_id: string;
  month: string;
  received: number;
  forwarded: number;
  blocked: number;
  /** The highest share of the limit that was announced, in percent: 0, 80 or 100. */
  announced: number;
  /** Mail of ours, such as codes; it does not count against the plan (D11). */
  own_mails: Generated<number>;
}
