import type { Generated } from "kysely";
import type { Flag, Time } from "./accountTables.ts";

/**
 * Why a mail is held: the next hop refused it, it could not be delivered in 5 days, its sender is suspicious or not
 * approved, a rule holds it, or its mask was switched off.
 */
export type HeldReason = "refused" | "expired" | "suspicious" | "unknown" | "rule" | "off";

/** Why a mail is held when it arrives. */
export type ArrivalReason = Exclude<HeldReason, "refused" | "expired">;

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
  /** JSON: all recipients; null for that of the queue alone. */
  recipients: Generated<string | null>;
  held_at: Time;
  /** When the daily notice listed it; null before. */
  noticed_at: Time | null;
}

export type SenderList = "allow" | "block";

/** A sender that a mask always accepts or refuses. */
export interface MaskSendersTable {
  mask_id: string;
  /** Keyed hash of the mask and the sender, an address or a domain. */
  sender_hash: string;
  user_id: string;
  list: SenderList;
  /** The sender, encrypted with the installation's key. */
  sealed: string;
  created_at: Time;
  /** 1 for a sender that the mask is locked to: only its proven mail is allowed. */
  must_be_proven: Generated<Flag>;
}

/** A confirmed or unconfirmed address that the mail of a mask goes to besides its first destination. */
export interface MaskDestinationsTable {
  mask_id: string;
  destination_id: string;
  user_id: string;
  /** From 0, in the order of the owner. */
  position: number;
}

/** How many reports about failed deliveries a sender got on a day ("2026-11-22", UTC). */
export interface SentReportsTable {
  /** Keyed hash of the address. */
  sender_hash: string;
  day: string;
  sent: number;
}

/** Messages for users; one about a mail names its held copy, or its mask and sender. */
export interface NotificationsTable {
  id: Generated<number>;
  user_id: string;
  type: string;
  priority: string;
  message: string;
  /** The held mail that it is about; null without one. */
  held_id: Generated<string | null>;
  /** The mask whose mail it is about; null without a sender. */
  mask_id: Generated<string | null>;
  /** The address of that mail's sender, encrypted; null without one. */
  sender: Generated<string | null>;
  created_at: Time;
  read_at: Time | null;
}
