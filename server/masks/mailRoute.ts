import { mailboxKey } from "../../core/mail/emailAddress.ts";
import { bytesOf, historyMs, limitsOf, parseTier } from "../../core/tiers/tier.ts";
import { type Consent, toConsent } from "../contentAccess/consentQueries.ts";
import type { Engine } from "../store/engine.ts";

/** Where the mail of a mask is forwarded, and what its owner's plan and settings allow. */
export interface MailRoute {
  readonly maskId: string;
  /** The mask's current address; the sender may have used an earlier one. */
  readonly maskEmail: string;
  /** Whether the sender used an earlier address. */
  readonly isFormerAddress: boolean;
  readonly userId: string;
  /** Whether the mask is on and its owner not suspended. */
  readonly active: boolean;
  readonly destinationId: string;
  readonly destination: string;
  /** Whether the destination is confirmed; others receive no mail (D33). */
  readonly confirmed: boolean;
  /** How many mails a month the owner's plan includes (A9). */
  readonly emailsPerMonth: number;
  /** In bytes. */
  readonly storage: number;
  /** In milliseconds; null: forever. */
  readonly historyMs: number | null;
  /** What may be derived from the mail's content; null: nothing. */
  readonly consent: Consent | null;
  /** JSON. */
  readonly rules: string;
  readonly spamFilter: boolean;
  /** Whether mail from unauthenticated senders is accepted without a mark. */
  readonly acceptUnproven: boolean;
  /** Whether the mask allows or blocks some senders. */
  readonly hasSenderLists: boolean;
}

interface RouteRow {
  readonly maskId: string;
  readonly maskEmail: string;
  readonly userId: string;
  readonly active: number;
  readonly destinationId: string;
  readonly destination: string;
  readonly confirmedAt: number | null;
  readonly tier: string;
  readonly rules: string;
  readonly spamFilter: number;
  readonly acceptUnproven: number;
  readonly hasSenderLists: number | boolean;
  readonly suspended: number;
  readonly enabled: number | null;
  readonly features: string | null;
  readonly external_model: string | null;
}

const findRoute = `
  select masks.id as "maskId", masks.email as "maskEmail", masks.user_id as "userId", masks.active as active,
    destinations.id as "destinationId", destinations.email as destination,
    destinations.confirmed_at as "confirmedAt", users.tier as tier, masks.rules as rules,
    masks.spam_filter as "spamFilter", masks.accept_unproven as "acceptUnproven",
    exists (select 1 from mask_senders where mask_senders.mask_id = masks.id) as "hasSenderLists", users.suspended as suspended,
    content_access.enabled as enabled, content_access.features as features,
    content_access.external_model as external_model
  from mask_addresses
  join masks on masks.id = mask_addresses.mask_id
  join destinations on destinations.id = masks.destination_id
  join users on users.id = masks.user_id
  left join content_access on content_access.user_id = masks.user_id
  where mask_addresses.email_key = $1 and masks.deleted_at is null`;

/** Returns the mail route of an address; null when no mask has it. */
export const findMailRoute = async (
  engine: Pick<Engine, "read">,
  address: string,
): Promise<MailRoute | null> => {
  const [row] = await engine.read<RouteRow>(findRoute, [mailboxKey(address)]);
  if (!row) return null;
  const limits = limitsOf[parseTier(row.tier)];
  return {
    maskId: row.maskId,
    maskEmail: row.maskEmail,
    isFormerAddress: mailboxKey(row.maskEmail) !== mailboxKey(address),
    userId: row.userId,
    active: row.active === 1 && row.suspended === 0,
    destinationId: row.destinationId,
    destination: row.destination,
    confirmed: row.confirmedAt !== null,
    emailsPerMonth: limits.emailsPerMonth ?? Number.MAX_SAFE_INTEGER,
    storage: bytesOf(limits.storage),
    historyMs: historyMs(limits.history),
    consent: toConsent(row.tier, row),
    rules: row.rules,
    spamFilter: row.spamFilter === 1,
    acceptUnproven: row.acceptUnproven === 1,
    hasSenderLists: Boolean(row.hasSenderLists),
  };
};
