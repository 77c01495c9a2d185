import { type ApiToken, maxApiTokens, type NewApiToken } from "../../../core/apiTokens/apiTokenEndpoints.ts";
import { dayMs } from "../../../core/kernel/durations.ts";
import type { ServerContext } from "../../context/serverContext.ts";
import { UseCaseError } from "../../platform/errors/useCaseError.ts";
import type { Db } from "../../platform/store/database.ts";
import { isId, newId } from "../../platform/store/id.ts";
import { lockUser } from "../../platform/store/users.ts";
import { assertMayTakeAddress } from "../masks/addressRight.ts";
import { addNotification } from "../notifications/notificationQueries.ts";
import {
  type ApiTokenRow,
  findApiTokenRow,
  listApiTokenRows,
  renameApiToken,
  revokeApiToken,
} from "./apiTokenQueries.ts";
import { scopesOf } from "./findTokenCaller.ts";
import { newTokenText } from "./tokenText.ts";

/** A new API token with its only readable copy. */
export interface CreatedApiToken {
  readonly apiToken: ApiToken;
  readonly token: string;
}

const isoDate = (at: number | null): string | null =>
  at === null ? null : new Date(Number(at)).toISOString();

const toApiToken = (row: ApiTokenRow): ApiToken => ({
  id: row.id,
  name: row.name,
  scopes: scopesOf(row),
  domain: row.domain,
  created: new Date(Number(row.created_at)).toISOString(),
  expires: isoDate(row.expires_at),
  lastUsed: isoDate(row.last_used_at),
  lastNetwork: row.last_network,
});

const createdMessage = (name: string): string =>
  `An API token was created for "${name}". Whoever has it can do in your name what it allows. If this was not you, revoke it in Settings and end all other sessions.`;

const gone = (): UseCaseError => new UseCaseError("missing", "This API token is revoked already.");

export type ApiTokenContext = Pick<ServerContext, "clock" | "random" | "hash" | "config">;

/** Returns the API tokens of a user. */
export const listApiTokens = async (db: Db, userId: string): Promise<readonly ApiToken[]> =>
  (await listApiTokenRows(db, userId)).map(toApiToken);

/** Rejects with 404 when the user has none with this id. */
export const getApiToken = async (db: Db, userId: string, id: string): Promise<ApiToken> => {
  const row = isId(id) ? await findApiTokenRow(db, userId, id) : undefined;
  if (!row) throw gone();
  return toApiToken(row);
};

/**
 * Makes an API token. Rejects with 409 beyond 50, and with 400 for a domain where the user makes no masks. The owner is notified,
 * because a stranger in the session could make one too.
 */
export const makeApiToken = async (
  { clock, random, hash, config }: ApiTokenContext,
  tx: Db,
  userId: string,
  { name, scopes, domain, lifetimeDays }: NewApiToken,
): Promise<CreatedApiToken> => {
  const token = newTokenText(random);
  const now = clock.now();
  const row: ApiTokenRow = {
    id: newId(random),
    user_id: userId,
    name,
    hash: hash("api-token", token),
    scopes: scopes.join(" "),
    domain,
    created_at: now,
    expires_at: lifetimeDays === null ? null : now + lifetimeDays * dayMs,
    end_noticed: 0,
    last_used_at: null,
    last_network: null,
  };
  await lockUser(tx, userId);
  if ((await listApiTokenRows(tx, userId)).length >= maxApiTokens)
    throw new UseCaseError(
      "conflict",
      `You have ${maxApiTokens} API tokens. Revoke one that you no longer use.`,
    );
  if (domain !== null)
    await assertMayTakeAddress(
      tx,
      { userId, email: `any@${domain}` },
      { maskDomain: config.maskDomain, now },
    );
  await tx.insertInto("api_tokens").values(row).execute();
  const message = createdMessage(name);
  await addNotification(
    tx,
    { userId, type: "security", priority: "high", message, place: "api-tokens" },
    now,
  );
  return { apiToken: toApiToken(row), token };
};

/** Renames an API token. Rejects with 404 when the user has none with this id. */
export const changeApiTokenName = async (
  { clock }: Pick<ApiTokenContext, "clock">,
  tx: Db,
  userId: string,
  change: { readonly id: string; readonly name: string },
): Promise<ApiToken> => {
  const row = await renameApiToken(tx, { userId, ...change }, clock.now());
  if (!row) throw gone();
  return toApiToken(row);
};

/** Ends an API token. Rejects with 404 when the user has none with this id. */
export const endApiToken = async (
  { clock }: Pick<ApiTokenContext, "clock">,
  tx: Db,
  userId: string,
  id: string,
): Promise<void> => {
  if (!isId(id) || !(await revokeApiToken(tx, { userId, id }, clock.now()))) throw gone();
};
