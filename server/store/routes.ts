import { mailboxKey } from "../../core/mail/emailAddress.ts";
import { bytesOf, historyMs, limitsOf, tierNamed } from "../../core/tiers/tier.ts";
import { type Consent, consentOf } from "./contentAccess.ts";
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
  /** For how long figures of the owner's mail are kept, in milliseconds; null: for ever. */
  readonly historyMs: number | null;
  /** What of the mail's content may be derived; null: nothing. */
  readonly consent: Consent | null;
  /** JSON. */
  readonly rules: string;
  readonly spamFilter: boolean;
}

/** The way from an address that was given out to its owner's mailbox; null when no mask has it (any more). */
export const findRoute = async (db: Db, address: string): Promise<Route | null> => {
  const row = await db
    .selectFrom("mask_addresses")
    .innerJoin("masks", "masks.id", "mask_addresses.mask_id")
    .innerJoin("destinations", "destinations.id", "masks.destination_id")
    .innerJoin("users", "users.id", "masks.user_id")
    .leftJoin("content_access", "content_access.user_id", "masks.user_id")
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
      "content_access.enabled",
      "content_access.features",
      "content_access.external_model",
    ])
    .executeTakeFirst();
  const limits = limitsOf[tierNamed(row?.tier)];
  return row
    ? {
        maskId: row.maskId,
        maskEmail: row.maskEmail,
        userId: row.userId,
        active: row.active === 1,
        destinationId: row.destinationId,
        destination: row.destination,
        confirmed: row.confirmedAt !== null,
        emailsPerMonth: limits.emailsPerMonth,
        storage: bytesOf(limits.storage),
        historyMs: historyMs(limits.history),
        consent: consentOf(row.tier, row),
        rules: row.rules,
        spamFilter: row.spamFilter === 1,
      }
    : null;
};
