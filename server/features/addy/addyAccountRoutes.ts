import type { FeatureContext } from "../../context/feature.ts";
import { fieldError, invalidSession, UseCaseError } from "../../platform/errors/useCaseError.ts";
import { type CompatibleRoute, signedIn } from "../../platform/http/compatibleApi.ts";
import { perMinute } from "../../platform/http/httpLimits.ts";
import type { AuthContext } from "../../platform/store/authContext.ts";
import type { Db } from "../../platform/store/database.ts";
import { getUser } from "../../platform/store/users.ts";
import { findApiTokenRow } from "../apiTokens/apiTokenQueries.ts";
import { findDomainsForNewMasks } from "../masks/addressRight.ts";
import { chosenFormat } from "../masks/maskAddress.ts";
import { readAccountDetails, readRecipients } from "./accountDetails.ts";
import type { OwnRecipient } from "./accountQueries.ts";
import { toPage } from "./aliasPage.ts";
import * as endpoints from "./contract/addyAccountEndpoints.ts";
import { maxPageSize } from "./contract/addyAliasEndpoints.ts";
import { timeText, timeTextOrNull } from "./contract/addyValues.ts";
import { toAliasFormat } from "./contract/aliasFormat.ts";
import { type Recipient, toRecipient } from "./contract/recipient.ts";

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

const readToken = async (db: Db, { userId, token }: AuthContext) => {
  const row = token && (await findApiTokenRow(db, userId, token.id));
  if (!row) throw invalidSession();
  return {
    name: row.name,
    created_at: timeText(row.created_at),
    expires_at: timeTextOrNull(row.expires_at),
  };
};

const readDomainOptions = async (
  { database: { db }, clock, config }: FeatureContext,
  { userId, token }: AuthContext,
) => {
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
};

const limited = { perMinute: perMinute.masks };

/** Returns the routes of the calls about the account, its token, its destinations and its domains. */
export const accountRoutes = (context: FeatureContext): readonly CompatibleRoute[] => [
  signedIn(endpoints.getAppVersion, {}, async () => endpoints.appVersion),
  signedIn(endpoints.getTokenDetails, {}, ({ auth }) => readToken(context.database.db, auth)),
  signedIn(endpoints.getDomainOptions, {}, ({ auth }) => readDomainOptions(context, auth)),
  signedIn(endpoints.getAccountDetails, limited, async ({ auth }) => ({
    data: await readAccountDetails(context, auth.userId),
  })),
  ...endpoints.emptyLists.map((list) =>
    signedIn(list, {}, async ({ params }) =>
      toPage({
        address: `${context.config.publicUrl}${list.path}`,
        params,
        query: { page: 1, size: maxPageSize },
        total: 0,
        data: [],
      }),
    ),
  ),
  signedIn(endpoints.getRecipients, limited, async ({ auth, params }) => {
    const all = await readRecipients(context, auth.userId);
    const found = all.filter(filterOf(params["filter[verified]"]));
    return { data: found.map(params.alias_count === "false" ? toRecipient : withCount) };
  }),
  signedIn(endpoints.getRecipient, limited, async ({ auth, params }) => {
    const found = (await readRecipients(context, auth.userId)).find(({ id }) => id === params.id);
    if (!found) throw noRecipient();
    return { data: withCount(found) };
  }),
];
