import type { Generated } from "kysely";
import type { Time } from "../../platform/store/tables.ts";
import type { ArrivalReason } from "../../relay/decision/mailDecision.ts";

/**
 * The reason for which a mail is held: one of its arrival, the next hop refused it, it could not be delivered in 5 days, or it
 * is a reply of the owner that was refused ("unsent").
 */
export type HeldReason = ArrivalReason | "refused" | "expired" | "unsent";

/** A mail that is kept for its owner's decision. Its content is that of the row of the queue with the same id. */
export interface HeldMailsTable {
  id: string;
  user_id: string;
  /** null for a mail of several masks, such as the hourly one. */
  mask_id: string | null;
  /** "received" for mail to the owner, "sent" for mail of the owner from a mask. */
  direction: "received" | "sent";
  reason: HeldReason;
  /** JSON of sender and subject, encrypted with the installation's key. */
  sealed: string;
  /** JSON: all recipients, of an unsent reply the local parts of its reverse addresses; null for that of the queue alone. */
  recipients: Generated<string | null>;
  held_at: Time;
  /** The time at which the daily notice listed it; null before. */
  noticed_at: Time | null;
}

/** The number of reports about failed deliveries that a sender got on a day ("2026-11-22", UTC). */
export interface SentReportsTable {
  /** Keyed hash of the address. */
  sender_hash: string;
  day: string;
  sent: number;
}

declare module "../../platform/store/tables.ts" {
  interface Tables {
    held_mails: HeldMailsTable;
    sent_reports: SentReportsTable;
  }
}
