import { type ApiToken, maxApiTokens, type NewApiToken } from "../../../core/apiTokens/apiTokenEndpoints.ts";
import { dayMs } from "../../../core/kernel/durations.ts";
import type { ServerContext } from "../../context/serverContext.ts";
import { UseCaseError } from "../../platform/errors/useCaseError.ts";
import { isId, newId } from "../../platform/store/id.ts";
import type { RecordAnswer } from "../../platform/store/recordAnswer.ts";
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

/** The API tokens of users. */
export interface UserApiTokens {
  readonly list: (userId: string) => Promise<readonly ApiToken[]>;
  /** Rejects with 404 when the user has none with this id. */
  readonly get: (userId: string, id: string) => Promise<ApiToken>;
  /**
   * Rejects with 409 beyond 50, and with 400 for a domain where the user makes no masks. The owner is notified, because a
   * stranger in the session could make one too.
   */
  readonly create: (
    userId: string,
    asked: NewApiToken,
    recordAnswer: RecordAnswer<CreatedApiToken>,
  ) => Promise<CreatedApiToken>;
  /** Rejects with 404 when the user has none with this id. */
  readonly rename: (
    userId: string,
    change: { readonly id: string; readonly name: string },
    recordAnswer: RecordAnswer<ApiToken>,
  ) => Promise<ApiToken>;
  /** Rejects with 404 when the user has none with this id. */
  readonly revoke: (userId: string, id: string, recordAnswer: RecordAnswer<void>) => Promise<void>;
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
  `An API token was made for "${name}". Whoever has it can do in your name what it allows. If this was not you, revoke it in Settings and end all other sessions.`;

const gone = (): UseCaseError => new UseCaseError("missing", "This API token is revoked already.");

export const createUserApiTokens = ({
  database,
  clock,
  random,
  hash,
  feed,
  config,
}: Pick<ServerContext, "database" | "clock" | "random" | "hash" | "feed" | "config">): UserApiTokens => {
  const get = async (userId: string, id: string): Promise<ApiToken> => {
    const row = isId(id) ? await findApiTokenRow(database.db, userId, id) : undefined;
    if (!row) throw gone();
    return toApiToken(row);
  };

  return {
    list: async (userId) => (await listApiTokenRows(database.db, userId)).map(toApiToken),
    get,

    create: async (userId, { name, scopes, domain, lifetimeDays }, recordAnswer) => {
      const token = newTokenText(random);
      const id = newId(random);
      const now = clock.now();
      const row: ApiTokenRow = {
        id,
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
      const created = await database.transaction(async (db) => {
        await lockUser(db, userId);
        if ((await listApiTokenRows(db, userId)).length >= maxApiTokens)
          throw new UseCaseError(
            "conflict",
            `You have ${maxApiTokens} API tokens. Revoke one that you no longer use.`,
          );
        if (domain !== null)
          await assertMayTakeAddress(
            db,
            { userId, email: `any@${domain}` },
            { maskDomain: config.maskDomain, now },
          );
        await db.insertInto("api_tokens").values(row).execute();
        const message = createdMessage(name);
        await addNotification(
          db,
          { userId, type: "security", priority: "high", message, place: "api-tokens" },
          now,
        );
        return recordAnswer(db, { apiToken: toApiToken(row), token });
      });
      feed.wake();
      return created;
    },

    rename: async (userId, { id, name }, recordAnswer) =>
      database.transaction(async (db) => {
        const row = await renameApiToken(db, { userId, id, name }, clock.now());
        if (!row) throw gone();
        return recordAnswer(db, toApiToken(row));
      }),

    revoke: async (userId, id, recordAnswer) => {
      await database.transaction(async (db) => {
        if (!isId(id) || !(await revokeApiToken(db, { userId, id }, clock.now()))) throw gone();
        await recordAnswer(db);
      });
      feed.wake();
    },
  };
};
