import type { FastifyInstance } from "fastify";
import { dayMs } from "../../../core/kernel/durations.ts";
import { localPartOf } from "../../../core/mail/emailAddress.ts";
import { limitsOf, parseTier } from "../../../core/tiers/tier.ts";
import { trashDays } from "../../../core/trash/trashEndpoints.ts";
import type { FeatureContext } from "../../context/feature.ts";
import { fieldError, invalidSession, UseCaseError } from "../../platform/errors/useCaseError.ts";
import { perMinute } from "../../platform/http/httpLimits.ts";
import { routeSignedIn } from "../../platform/http/route.ts";
import { getUser } from "../../platform/store/users.ts";
import { findApiTokenRow } from "../apiTokens/apiTokenQueries.ts";
import { ensureDefaultDestination } from "../destinations/defaultDestination.ts";
import { findDomainsForNewMasks } from "../masks/addressRight.ts";
import { chosenFormat } from "../masks/maskAddress.ts";
import { sumMasks } from "../masks/maskSums.ts";
import { countTrashed, findRecipients, type OwnRecipient } from "./accountQueries.ts";
import { toPage } from "./aliasPage.ts";
import {
  type AccountDetails,
  appVersion,
  emptyLists,
  getAccountDetails,
  getAppVersion,
  getDomainOptions,
  getRecipient,
  getRecipients,
  getTokenDetails,
} from "./contract/accountEndpoints.ts";
import { maxPageSize } from "./contract/aliasEndpoints.ts";
import { toAliasFormat } from "./contract/aliasFormat.ts";
import { type Recipient, toRecipient } from "./contract/recipient.ts";
import { timeText, timeTextOrNull } from "./contract/values.ts";

const noRecipient = (): UseCaseError => new UseCaseError("missing", "Recipient not found");

type Filter = (recipient: OwnRecipient) => boolean;

const filterOf = (text = ""): Filter => {
  switch (text) {
    case "":
      return () => true;
    case "true":
    case "1":
      return ({ confirmedAt }) => confirmedAt !== null;
    case "false":
    case "0":
      return ({ confirmedAt }) => confirmedAt === null;
    default:
      throw fieldError("invalid", "filter[verified]", "The filter[verified] must be true or false.");
  }
};

const withCount = (recipient: OwnRecipient): Recipient => ({
  ...toRecipient(recipient),
  aliases_count: recipient.masks,
});

/** Registers the calls about the account, its token, its destinations and its domains. */
export const accountRoutes =
  (context: FeatureContext) =>
  (fastify: FastifyInstance): void => {
    const { database, authGuard, clock, config } = context;
    const { db } = database;
    const limited = { perMinute: perMinute.masks };

    /** Returns the user's destinations; the address of the account is one of them also before the first mask. */
    const recipientsOf = async (userId: string): Promise<readonly OwnRecipient[]> => {
      await ensureDefaultDestination(context, userId);
      return findRecipients(db, userId);
    };

    const readDetails = async (userId: string): Promise<AccountDetails> => {
      const user = await getUser(db, userId);
      const now = clock.now();
      const [recipients, domains, sums, trashed] = await Promise.all([
        recipientsOf(userId),
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

    routeSignedIn(fastify, authGuard, getAppVersion, async () => appVersion);
    routeSignedIn(fastify, authGuard, getTokenDetails, async ({ auth: { userId, token } }) => {
      const row = token && (await findApiTokenRow(db, userId, token.id));
      if (!row) throw invalidSession();
      return {
        name: row.name,
        created_at: timeText(row.created_at),
        expires_at: timeTextOrNull(row.expires_at),
      };
    });
    routeSignedIn(fastify, authGuard, getDomainOptions, async ({ auth: { userId, token } }) => {
      const user = await getUser(db, userId);
      const only = token?.domain ?? null;
      const isAllowed = (name: string): boolean => only === null || name === only;
      const own = (await findDomainsForNewMasks(db, userId, clock.now()))
        .map(({ name }) => name)
        .filter(isAllowed);
      const shared = [config.maskDomain].filter(isAllowed);
      return {
        data: [...own, ...shared],
        sharedDomains: shared,
        defaultAliasDomain: only ?? config.maskDomain,
        defaultAliasFormat: toAliasFormat(chosenFormat(user).maskFormat),
      };
    });
    routeSignedIn(
      fastify,
      authGuard,
      getAccountDetails,
      async ({ auth }) => ({ data: await readDetails(auth.userId) }),
      limited,
    );
    for (const list of emptyLists)
      routeSignedIn(fastify, authGuard, list, async ({ params }) =>
        toPage({
          address: `${config.publicUrl}${list.path}`,
          params,
          query: { page: 1, size: maxPageSize },
          total: 0,
          data: [],
        }),
      );
    routeSignedIn(
      fastify,
      authGuard,
      getRecipients,
      async ({ auth, params: { "filter[verified]": verified, alias_count: count } }) => {
        const found = (await recipientsOf(auth.userId)).filter(filterOf(verified));
        return { data: found.map(count === "false" ? toRecipient : withCount) };
      },
      limited,
    );
    routeSignedIn(
      fastify,
      authGuard,
      getRecipient,
      async ({ auth, params }) => {
        const found = (await recipientsOf(auth.userId)).find(({ id }) => id === params.id);
        if (!found) throw noRecipient();
        return { data: withCount(found) };
      },
      limited,
    );
  };
