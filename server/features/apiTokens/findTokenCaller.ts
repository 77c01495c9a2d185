import { ApiScope } from "../../../core/api/apiScope.ts";
import { minuteMs } from "../../../core/kernel/durations.ts";
import type { ServerContext } from "../../context/serverContext.ts";
import { UseCaseError } from "../../platform/errors/useCaseError.ts";
import { widerNetworkOf } from "../../platform/ops/networkOf.ts";
import type { FindTokenCaller, TokenCaller, TokenGrant } from "../../platform/store/authContext.ts";
import { apiTokensResource } from "../../platform/store/events.ts";
import { createUserCache } from "../../platform/store/userCache.ts";
import { addNotification } from "../notifications/notificationQueries.ts";
import { type ApiTokenRow, findValidToken, recordTokenUse, rememberNetwork } from "./apiTokenQueries.ts";
import { readTokenText } from "./tokenText.ts";

const recordUseEveryMs = minuteMs;
/** The time for which a checked token is accepted from a network without another check, unless it is revoked or changed. */
const recentCheckMs = 5_000;
/** The maximum number of recently checked tokens and their networks. */
const maxRecentChecks = 20_000;

/** A token that was checked, and until when the result holds. */
interface CheckedToken {
  readonly caller: TokenCaller;
  readonly until: number;
}

const mistyped = (): UseCaseError =>
  new UseCaseError("unauthenticated", "This API token is mistyped. Copy it again as a whole.");

const notValid = (): UseCaseError =>
  new UseCaseError(
    "unauthenticated",
    "This API token is not valid: it has ended, was revoked, or is of another server. Create a new one in Settings.",
  );

const newNetworkMessage = (name: string, network: string): string =>
  `The API token "${name}" was used from a new network, ${network}. If this was not you, revoke it in Settings.`;

/** Returns the scopes of a stored token; one that this version does not know allows nothing. */
export const scopesOf = ({ scopes }: Pick<ApiTokenRow, "scopes">): readonly ApiScope[] =>
  scopes.split(" ").filter(ApiScope.is);

const toGrant = (row: ApiTokenRow): TokenGrant => ({
  id: row.id,
  name: row.name,
  scopes: scopesOf(row),
  domain: row.domain,
  expiresAt: row.expires_at === null ? null : Number(row.expires_at),
});

/**
 * Creates the check of API tokens. Its result is kept for seconds, and until the event of a revocation, so that a revoked
 * token ends at once in all processes. The first use from a network is told to the user.
 */
export const createFindTokenCaller = ({
  database,
  hash,
  clock,
  feed,
}: Pick<ServerContext, "database" | "hash" | "clock" | "feed">): FindTokenCaller => {
  const recordUse = async (row: ApiTokenRow, network: string, now: number): Promise<void> => {
    const isRecent = row.last_used_at !== null && now - Number(row.last_used_at) < recordUseEveryMs;
    if (isRecent && row.last_network === network) return;
    const isNew = await database.transaction(async (db) => {
      await recordTokenUse(db, row.id, { now, network });
      if (row.last_network === network || !(await rememberNetwork(db, row.id, network))) return false;
      const message = newNetworkMessage(row.name, network);
      await addNotification(
        db,
        { userId: row.user_id, type: "security", priority: "normal", message, place: "api-tokens" },
        now,
      );
      return true;
    });
    if (isNew) feed.wake();
  };

  const recentChecks = createUserCache<CheckedToken>(database, {
    resource: apiTokensResource,
    maxWeight: maxRecentChecks,
    weightOf: () => 1,
    isExpired: ({ until }) => clock.now() >= until,
  });

  const check = async (text: string, network: string): Promise<CheckedToken> => {
    const now = clock.now();
    const row = await findValidToken(database.db, hash("api-token", text), now);
    if (!row) throw notValid();
    await recordUse(row, network, now);
    const token = toGrant(row);
    const until = Math.min(now + recentCheckMs, token.expiresAt ?? Number.POSITIVE_INFINITY);
    return { caller: { userId: row.user_id, token }, until };
  };

  return async (presented, address) => {
    const text = readTokenText(presented);
    if (text === null) throw mistyped();
    const network = widerNetworkOf(address);
    const checked = await recentChecks.get(`${text} ${network}`, async () => {
      const value = await check(text, network);
      return { userId: value.caller.userId, value };
    });
    if (!checked) throw notValid();
    return checked.caller;
  };
};
