import type { ActionLinkPlace, MaskActionLinkPlace } from "../../../core/mail/actionLinkPlace.ts";
import { mailboxKey } from "../../../core/mail/emailAddress.ts";
import type { MaskSenderShown, SenderShown } from "../../../core/mail/forwardedFrom.ts";
import type { KeptInApp } from "../../../core/mail/keptInApp.ts";
import { isSameMailbox } from "../../../core/mail/mailboxName.ts";
import type { MaskUnsubscribeMode, UnsubscribeMode } from "../../../core/mail/unsubscribeMode.ts";
import type { LogMode } from "../../../core/mailLog/logEntry.ts";
import type { WhenOff } from "../../../core/masks/mask.ts";
import type { SenderMode } from "../../../core/senders/maskSenders.ts";
import { bytesOf, historyMs, limitsOf, parseTier } from "../../../core/tiers/tier.ts";
import type { Engine } from "../../platform/store/engine.ts";
import { noRules } from "../../relay/evaluate/ruleCache.ts";
import type { MailRoute } from "../../relay/mailRoute.ts";
import { toConsent } from "../contentAccess/consentQueries.ts";

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
  readonly showCodes: number;
  /** The choice of the mask. */
  readonly maskShowCodes: number;
  /** null without a webhook that is on. */
  readonly webhookContent: number | null;
  /** null without a device that gets push notifications. */
  readonly pushSender: number | null;
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
    users.show_codes as "showCodes", masks.show_codes as "maskShowCodes",
    content_access.enabled as enabled, content_access.features as features,
    content_access.external_model as external_model,
    (select max(includes_content) from webhooks
     where webhooks.user_id = masks.user_id and webhooks.active = 1 and webhooks.paused_because is null)
      as "webhookContent",
    (select max(shows_sender) from push_devices where push_devices.user_id = masks.user_id) as "pushSender",
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

/** Returns what push notifications may name of a user's mail. */
export const pushOf = ({
  pushSender,
  hasKey,
}: Pick<RouteRow, "pushSender" | "hasKey">): MailRoute["push"] => {
  if (pushSender === null) return "none";
  if (pushSender === 0) return "facts";
  return hasKey ? "sender" : "content";
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
    showsCodes: row.showCodes === 1 || row.maskShowCodes === 1,
    keepsLastMails: row.keepsLastMails === 1,
    webhooks: webhooksOf(row),
    push: pushOf(row),
  };
};
