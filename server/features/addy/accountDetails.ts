import { dayMs } from "../../../core/kernel/durations.ts";
import { localPartOf } from "../../../core/mail/emailAddress.ts";
import { limitsOf, parseTier } from "../../../core/tiers/tier.ts";
import { trashDays } from "../../../core/trash/trashEndpoints.ts";
import type { FeatureContext } from "../../context/feature.ts";
import { getUser } from "../../platform/store/users.ts";
import { ensureDefaultDestination } from "../destinations/defaultDestination.ts";
import { findDomainsForNewMasks } from "../masks/addressRight.ts";
import { chosenFormat } from "../masks/maskAddress.ts";
import { sumMasks } from "../masks/maskSums.ts";
import { countTrashed, findRecipients, type OwnRecipient } from "./accountQueries.ts";
import type { AccountDetails } from "./contract/addyAccountEndpoints.ts";
import { timeText } from "./contract/addyValues.ts";
import { toAliasFormat } from "./contract/aliasFormat.ts";

/** Returns the user's destinations; the address of the account is one of them also before the first mask. */
export const readRecipients = async (
  context: FeatureContext,
  userId: string,
): Promise<readonly OwnRecipient[]> => {
  await ensureDefaultDestination(context, userId);
  return findRecipients(context.database.db, userId);
};

/** Returns what apps show of an account. */
export const readAccountDetails = async (
  context: FeatureContext,
  userId: string,
): Promise<AccountDetails> => {
  const { database, clock, config } = context;
  const { db } = database;
  const user = await getUser(db, userId);
  const now = clock.now();
  const [recipients, domains, sums, trashed] = await Promise.all([
    readRecipients(context, userId),
    findDomainsForNewMasks(db, userId, now),
    sumMasks(db, userId),
    countTrashed(db, userId, now - trashDays * dayMs),
  ]);
  return {
    id: user.id,
    username: localPartOf(user.email),
    disabled: false,
    from_name: null,
    email_subject: null,
    banner_location: "off",
    bandwidth: 0,
    username_count: 0,
    username_limit: 0,
    default_username_id: user.id,
    default_recipient_id: recipients.find(({ isDefault }) => isDefault)?.id ?? "",
    default_alias_domain: config.maskDomain,
    default_alias_format: toAliasFormat(chosenFormat(user).maskFormat),
    subscription: null,
    subscription_type: null,
    subscription_ends_at: null,
    bandwidth_limit: 0,
    recipient_count: recipients.length,
    recipient_limit: null,
    active_domain_count: domains.length,
    active_domain_limit: null,
    active_shared_domain_alias_count: sums.masks,
    active_shared_domain_alias_limit: limitsOf[parseTier(user.tier)].masks,
    active_rule_count: 0,
    active_rule_limit: null,
    total_emails_forwarded: sums.forwarded,
    total_emails_blocked: sums.blocked,
    total_emails_replied: sums.sent,
    total_emails_sent: 0,
    total_aliases: sums.masks + trashed,
    total_active_aliases: sums.active,
    total_inactive_aliases: sums.masks - sums.active,
    total_deleted_aliases: trashed,
    created_at: timeText(user.created_at),
    updated_at: timeText(user.created_at),
  };
};
