import type { ActionLinkPlace, MaskActionLinkPlace } from "../../../core/mail/actionLinkPlace.ts";
import { mailboxKey } from "../../../core/mail/emailAddress.ts";
import type { MaskSenderShown, NameStyle, SenderShown } from "../../../core/mail/forwardedFrom.ts";
import type { KeptInApp } from "../../../core/mail/keptInApp.ts";
import { isSameMailbox } from "../../../core/mail/mailboxName.ts";
import type { MaskUnsubscribeMode, UnsubscribeMode } from "../../../core/mail/unsubscribeMode.ts";
import type { LogMode } from "../../../core/mailLog/logEntry.ts";
import type { WhenOff } from "../../../core/masks/mask.ts";
import type { RuleLists } from "../../../core/rules/model/rulePlace.ts";
import type { SenderMode } from "../../../core/senders/maskSenders.ts";
import { bytesOf, historyMs, limitsOf, parseTier } from "../../../core/tiers/tier.ts";
import type { Engine } from "../../platform/store/engine.ts";
import { type Consent, toConsent } from "../contentAccess/consentQueries.ts";
import { noRules } from "../rules/ruleCache.ts";

/** Where the mail of a mask is forwarded, and what its owner's plan and settings allow. */
export interface MailRoute {
  readonly maskId: string;
  /** The mask's current address; the sender may have used an earlier one. */
  readonly maskEmail: string;
  /** Whether the sender used an earlier address. */
  readonly isFormerAddress: boolean;
  /** Whether mail with a tag behind the name of the mask is taken. */
  readonly takesTags: boolean;
  /** The tag that the sender has put behind the name. */
  readonly tag?: string;
  /** Whether the mail makes the mask, which does not exist before. */
  readonly isNew?: true;
  readonly userId: string;
  /** Whether the mask is on and its owner not suspended. */
  readonly active: boolean;
  /** What happens to mail of a mask that is off; "refuse" while the plan or the operator keeps it off. */
  readonly whenOff: WhenOff;
  /** Whether the owner wants to know of refused and dropped mail of a mask that is off. */
  readonly notifyWhenOff: boolean;
  /** How the sender of its mail is shown. */
  readonly nameStyle: NameStyle;
  /** Where its mail has links that act on the mask. */
  readonly actionLinks: ActionLinkPlace;
  /** What "Unsubscribe" does with its mail. */
  readonly unsubscribe: UnsubscribeMode;
  /** Whether answers to the calendars in its mail go through the mask. */
  readonly calendarsThroughMask: boolean;
  /** Whether its mail stays in the app, and how long; "no" while its owner has no key. */
  readonly keptInApp: KeptInApp;
  readonly destinationId: string;
  readonly destination: string;
  /** Confirmed addresses that get the mask's mail besides the destination. */
  readonly furtherDestinations: readonly string[];
  /** Whether the destination is confirmed; others receive no mail (D33). */
  readonly confirmed: boolean;
  /** How many mails a month the owner's plan includes (AC5). */
  readonly emailsPerMonth: number;
  /** Bytes that the owner's plan has for mail in the app. */
  readonly storage: number;
  /** Bytes of mail that are kept for the owner, or wait for their servers. */
  readonly keptBytes: number;
  /** In milliseconds; null: forever. */
  readonly historyMs: number | null;
  /** What may be derived from the mail's content; null: nothing. */
  readonly consent: Consent | null;
  /** Stored JSON of each list that decides about its mail. */
  readonly rules: RuleLists<string>;
  readonly labels: readonly string[];
  readonly spamFilter: boolean;
  /** Whether mail from unauthenticated senders is accepted without a mark. */
  readonly acceptUnproven: boolean;
  /** Whether the mask allows or blocks some senders. */
  readonly hasSenderLists: boolean;
  readonly senderMode: SenderMode;
  /** When the mask expires, as stored; null for never. */
  readonly expiry: string | null;
  /** In milliseconds since 1970; null without a date. */
  readonly expiresAt: number | null;
  /** What the log of the owner's mail keeps of senders. */
  readonly log: LogMode;
  /** Whether the owner keeps the last mails to test rules with. */
  readonly keepsLastMails: boolean;
  /** Whether webhooks are told of its mail, and whether with its content: never of an owner with a key. */
  readonly webhooks: "none" | "facts" | "content";
}

interface RouteRow {
  readonly maskId: string;
  readonly maskEmail: string;
  readonly userId: string;
  readonly active: number;
  readonly paused: number;
  readonly whenOff: WhenOff;
  readonly notifyWhenOff: number;
  readonly destinationId: string;
  readonly destination: string;
  readonly further: string | null;
  readonly confirmedAt: number | null;
  readonly tier: string;
  readonly keptBytes: number;
  readonly description: string;
  /** The choice of the account. */
  readonly senderShown: SenderShown;
  readonly maskSenderShown: MaskSenderShown;
  /** The choice of the account. */
  readonly actionLinks: ActionLinkPlace;
  readonly maskActionLinks: MaskActionLinkPlace;
  /** The choice of the account. */
  readonly unsubscribe: UnsubscribeMode;
  readonly maskUnsubscribe: MaskUnsubscribeMode;
  readonly calendarsThroughMask: number;
  readonly takesTags: number;
  readonly keptInApp: KeptInApp;
  readonly rules: string;
  readonly rulesBefore: string | null;
  readonly rulesAfter: string | null;
  readonly labels: string;
  readonly spamFilter: number;
  readonly acceptUnproven: number;
  readonly hasSenderLists: number | boolean;
  readonly senderMode: SenderMode;
  readonly expiry: string | null;
  readonly expiresAt: number | null;
  readonly log: LogMode;
  readonly keepsLastMails: number;
  /** null without a webhook that is on. */
  readonly webhookContent: number | null;
  readonly hasKey: number | boolean;
  readonly suspended: number;
  readonly enabled: number | null;
  readonly features: string | null;
  readonly external_model: string | null;
}

const findRoute = `
  select masks.id as "maskId", masks.email as "maskEmail", masks.user_id as "userId", masks.active as active,
    masks.paused as paused, masks.when_off as "whenOff", masks.notify_when_off as "notifyWhenOff",
    destinations.id as "destinationId", destinations.email as destination,
    (select string_agg(email, ' ' order by position)
     from mask_destinations join destinations on destinations.id = mask_destinations.destination_id
     where mask_destinations.mask_id = masks.id and confirmed_at is not null) as further,
    destinations.confirmed_at as "confirmedAt", users.tier as tier,
    coalesce((select bytes from kept_bytes where kept_bytes.user_id = masks.user_id and network = ''), 0)
      as "keptBytes",
    masks.rules as rules,
    account_rules.before_rules as "rulesBefore", account_rules.after_rules as "rulesAfter", masks.labels as labels,
    masks.spam_filter as "spamFilter", masks.accept_unproven as "acceptUnproven",
    masks.description as description, users.sender_shown as "senderShown",
    masks.sender_shown as "maskSenderShown", users.action_links as "actionLinks",
    masks.action_links as "maskActionLinks", users.unsubscribe as "unsubscribe",
    masks.unsubscribe as "maskUnsubscribe", users.calendars_through_mask as "calendarsThroughMask",
    users.mask_tags as "takesTags",
    masks.kept_in_app as "keptInApp",
    exists (select 1 from mask_senders where mask_senders.mask_id = masks.id) as "hasSenderLists",
    masks.sender_mode as "senderMode", masks.expiry as expiry, masks.expires_at as "expiresAt",
    users.mail_log as log, users.keep_last_mails as "keepsLastMails", users.suspended as suspended,
    content_access.enabled as enabled, content_access.features as features,
    content_access.external_model as external_model,
    (select max(includes_content) from webhooks
     where webhooks.user_id = masks.user_id and webhooks.active = 1 and webhooks.paused_because is null)
      as "webhookContent",
    exists (select 1 from public_keys where public_keys.user_id = masks.user_id) as "hasKey"
  from mask_addresses
  join masks on masks.id = mask_addresses.mask_id
  join destinations on destinations.id = masks.destination_id
  join users on users.id = masks.user_id
  left join account_rules on account_rules.user_id = masks.user_id
  left join content_access on content_access.user_id = masks.user_id
  where mask_addresses.email_key = $1 and masks.deleted_at is null`;

/** Returns what webhooks are told of a user's mail. */
export const webhooksOf = ({
  webhookContent,
  hasKey,
}: Pick<RouteRow, "webhookContent" | "hasKey">): MailRoute["webhooks"] => {
  if (webhookContent === null) return "none";
  return webhookContent === 1 && !hasKey ? "content" : "facts";
};

/** Returns the mail route of an address; null when no mask has it. */
export const findMailRoute = async (
  engine: Pick<Engine, "readCached">,
  address: string,
): Promise<MailRoute | null> => {
  const [row] = await engine.readCached<RouteRow>(findRoute, [mailboxKey(address)]);
  if (!row) return null;
  const limits = limitsOf[parseTier(row.tier)];
  return {
    maskId: row.maskId,
    maskEmail: row.maskEmail,
    isFormerAddress: !isSameMailbox(row.maskEmail, address),
    takesTags: row.takesTags === 1,
    userId: row.userId,
    active: row.active === 1 && row.suspended === 0,
    whenOff: row.paused === 0 && row.suspended === 0 ? row.whenOff : "refuse",
    notifyWhenOff: row.notifyWhenOff === 1,
    nameStyle: {
      shown: row.maskSenderShown === "account" ? row.senderShown : row.maskSenderShown,
      description: row.description,
    },
    actionLinks: row.maskActionLinks === "account" ? row.actionLinks : row.maskActionLinks,
    unsubscribe: row.maskUnsubscribe === "account" ? row.unsubscribe : row.maskUnsubscribe,
    calendarsThroughMask: row.calendarsThroughMask === 1,
    keptInApp: row.hasKey ? row.keptInApp : "no",
    destinationId: row.destinationId,
    destination: row.destination,
    furtherDestinations: row.further?.split(" ").filter((one) => one !== row.destination) ?? [],
    confirmed: row.confirmedAt !== null,
    emailsPerMonth: limits.emailsPerMonth ?? Number.MAX_SAFE_INTEGER,
    storage: bytesOf(limits.storage),
    keptBytes: Number(row.keptBytes),
    historyMs: historyMs(limits.history),
    consent: toConsent(row.tier, row),
    rules: { before: row.rulesBefore ?? noRules, mask: row.rules, after: row.rulesAfter ?? noRules },
    labels: JSON.parse(row.labels) as readonly string[],
    spamFilter: row.spamFilter === 1,
    acceptUnproven: row.acceptUnproven === 1,
    hasSenderLists: Boolean(row.hasSenderLists),
    senderMode: row.senderMode,
    expiry: row.expiry,
    expiresAt: row.expiresAt,
    log: row.log,
    keepsLastMails: row.keepsLastMails === 1,
    webhooks: webhooksOf(row),
  };
};
