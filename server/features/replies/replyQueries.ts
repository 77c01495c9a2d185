import type { DomainName } from "../../../core/mail/domainName.ts";
import { mailboxKey } from "../../../core/mail/emailAddress.ts";
import { isSameMailbox, mailboxName } from "../../../core/mail/mailboxName.ts";
import type { LogMode } from "../../../core/mailLog/logEntry.ts";
import { historyMs, limitsOf, parseTier, type Tier } from "../../../core/tiers/tier.ts";
import type { Database, Db } from "../../platform/store/database.ts";
import { findShownDescriptions } from "../correspondents/shownDescriptions.ts";
import { type AddressOfUser, mayUseAddress } from "../masks/addressRight.ts";

/** The mask that a reply goes through. */
export interface ReplyMask {
  readonly maskId: string;
  readonly maskEmail: string;
  readonly description: string;
  /** The descriptions that forwarded mail has shown. */
  readonly shownDescriptions: readonly string[];
  readonly userId: string;
  readonly isUsable: boolean;
  readonly tier: Tier;
  /** The part of a mail that the log of the owner keeps. */
  readonly log: LogMode;
  /** The end of the time in which replies are refused, in milliseconds since 1970; 0 when they are not. */
  readonly pausedUntil: number;
  /** The time for which the plan keeps counts, in milliseconds; null: forever. */
  readonly historyMs: number | null;
  /** All confirmed addresses of the owner, the account's own included. */
  readonly ownerAddresses: readonly string[];
}

/** True if an address is a confirmed one of the mask's owner. */
export const isOwner = (mask: ReplyMask, address: string): boolean =>
  mask.ownerAddresses.some((own) => isSameMailbox(own, address));

/** A row for each confirmed address of the owner; one without an address where there is none. */
const maskOfReplies = `
  select masks.email as "maskEmail", masks.description, masks.user_id as "userId", masks.active,
    users.email, users.tier, users.suspended, users.mail_log as log, users.replies_paused_until as "pausedUntil",
    destinations.confirmed_at as "confirmedAt", own.email as confirmed
  from masks
  join users on users.id = masks.user_id
  join destinations on destinations.id = masks.destination_id
  left join destinations as own on own.user_id = masks.user_id and own.confirmed_at is not null
  where masks.id = $1 and masks.deleted_at is null`;

interface MaskRow {
  readonly maskEmail: string;
  readonly description: string;
  readonly userId: string;
  readonly active: number;
  readonly email: string;
  readonly tier: string;
  readonly suspended: number;
  readonly log: LogMode;
  readonly pausedUntil: number | null;
  readonly confirmedAt: number | null;
  readonly confirmed: string | null;
}

/** Returns the mask that replies go through; unusable while its owner may not use its address. */
export const findReplyMask = async (
  { db, engine }: Pick<Database, "db" | "engine">,
  maskId: string,
  maskDomain: DomainName,
): Promise<ReplyMask | null> => {
  const rows = await engine.read<MaskRow>(maskOfReplies, [maskId]);
  const [row] = rows;
  if (!row) return null;
  const tier = parseTier(row.tier);
  const mayUse = await mayUseAddress(db, { userId: row.userId, email: row.maskEmail }, maskDomain);
  return {
    maskId,
    maskEmail: row.maskEmail,
    description: row.description,
    shownDescriptions: await findShownDescriptions(db, { userId: row.userId, maskId }),
    userId: row.userId,
    isUsable: mayUse && row.active === 1 && row.suspended === 0 && row.confirmedAt !== null,
    tier,
    log: row.log,
    pausedUntil: Number(row.pausedUntil ?? 0),
    historyMs: historyMs(limitsOf[tier].history),
    ownerAddresses: [row.email, ...rows.flatMap(({ confirmed }) => confirmed ?? [])],
  };
};

/** Returns the id of the mask with an address if the user has it and may use the address; null otherwise. */
export const findOwnMask = async (
  db: Db,
  { userId, email }: AddressOfUser,
  maskDomain: DomainName,
): Promise<string | null> => {
  const row = await db
    .selectFrom("mask_addresses")
    .innerJoin("masks", "masks.id", "mask_addresses.mask_id")
    .where("mask_addresses.email_key", "=", mailboxKey(mailboxName(email)))
    .where("masks.user_id", "=", userId)
    .where("masks.deleted_at", "is", null)
    .select("masks.id")
    .executeTakeFirst();
  return row && (await mayUseAddress(db, { userId, email }, maskDomain)) ? row.id : null;
};

/** Returns what the log of a user keeps. */
export const findLogMode = async (db: Db, userId: string): Promise<LogMode> => {
  const user = await db
    .selectFrom("users")
    .where("id", "=", userId)
    .select("mail_log as log")
    .executeTakeFirst();
  return user?.log ?? "off";
};
