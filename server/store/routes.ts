import { mailboxKey } from "../../core/mail/emailAddress.ts";
import { bytesOf, limitsOf, tierNamed } from "../../core/tiers/tier.ts";
import type { Db } from "./database.ts";

/** Where mail to a mask goes, and what stands in its way. */
export interface Route {
  readonly maskId: string;
  /** The mask's address now; the sender may have used an older one. */
  readonly maskEmail: string;
  readonly userId: string;
  readonly active: boolean;
  readonly destinationId: string;
  readonly destination: string;
  /** Only confirmed destinations receive mail (D33). */
  readonly confirmed: boolean;
  /** How many mails a month the owner's plan includes (A9). */
  readonly emailsPerMonth: number;
  /** Bytes the owner's archive may hold. */
  readonly storage: number;
  /** JSON. */
  readonly rules: string;
  readonly spamFilter: boolean;
  /** What the mask has seen so far. */
  readonly received: number;
  readonly forwarded: number;
  /** The month of its last mail ("2026-11", UTC), and how many came in it. */
  readonly month: string;
  readonly monthReceived: number;
  /** Milliseconds since 1970; null before its first mail. */
  readonly lastMailAt: number | null;
}

/** The way from an address that was given out to its owner's mailbox; null when no mask has it (any more). */
export const findRoute = async (db: Db, address: string): Promise<Route | null> => {
  const row = await db
    .selectFrom("mask_addresses")
    .innerJoin("masks", "masks.id", "mask_addresses.mask_id")
    .innerJoin("destinations", "destinations.id", "masks.destination_id")
    .innerJoin("users", "users.id", "masks.user_id")
    .leftJoin("mask_statistics", "mask_statistics.mask_id", "masks.id")
    .where("mask_addresses.email_key", "=", mailboxKey(address))
    .select([
      "masks.id as maskId",
      "masks.email as maskEmail",
      "masks.user_id as userId",
      "masks.active",
      "destinations.id as destinationId",
      "destinations.email as destination",
      "destinations.confirmed_at as confirmedAt",
      "users.tier",
      "masks.rules",
      "masks.spam_filter as spamFilter",
      "mask_statistics.total_received as received",
      "mask_statistics.total_forwarded as forwarded",
      "mask_statistics.month",
      "mask_statistics.month_received as monthReceived",
      "mask_statistics.last_used_at as lastMailAt",
    ])
    .executeTakeFirst();
  return row
    ? {
        maskId: row.maskId,
        maskEmail: row.maskEmail,
        userId: row.userId,
        active: row.active === 1,
        destinationId: row.destinationId,
        destination: row.destination,
        confirmed: row.confirmedAt !== null,
        emailsPerMonth: limitsOf[tierNamed(row.tier)].emailsPerMonth,
        storage: bytesOf(limitsOf[tierNamed(row.tier)].storage),
        rules: row.rules,
        spamFilter: row.spamFilter === 1,
        received: row.received ?? 0,
        forwarded: row.forwarded ?? 0,
        month: row.month ?? "",
        monthReceived: row.monthReceived ?? 0,
        lastMailAt: row.lastMailAt,
      }
    : null;
};
