import type { Selectable } from "kysely";
import { dayMs } from "../../../core/kernel/durations.ts";
import type { Db } from "../../platform/store/database.ts";
import { apiTokensResource, appendEvent } from "../../platform/store/events.ts";
import { deleteResponses } from "../../platform/store/idempotencyQueries.ts";
import type { ApiTokensTable } from "./apiTokenTables.ts";

export type ApiTokenRow = Selectable<ApiTokensTable>;

/** Returns a user's API tokens, newest first. */
export const listApiTokenRows = (db: Db, userId: string): Promise<ApiTokenRow[]> =>
  db
    .selectFrom("api_tokens")
    .selectAll()
    .where("user_id", "=", userId)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .execute();

/** Returns an API token of a user; undefined when there is none with this id. */
export const findApiTokenRow = (db: Db, userId: string, id: string): Promise<ApiTokenRow | undefined> =>
  db
    .selectFrom("api_tokens")
    .selectAll()
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .executeTakeFirst();

/** The API tokens that have not ended, of users who are not suspended. */
const validTokens = (db: Db, now: number) =>
  db
    .selectFrom("api_tokens")
    .innerJoin("users", "users.id", "api_tokens.user_id")
    .selectAll("api_tokens")
    .where("users.suspended", "=", 0)
    .where((e) => e.or([e("expires_at", "is", null), e("expires_at", ">", now)]));

/** Finds the API token with a hash that has not ended, of a user who is not suspended. */
export const findValidToken = (db: Db, hash: string, now: number): Promise<ApiTokenRow | undefined> =>
  validTokens(db, now).where("api_tokens.hash", "=", hash).executeTakeFirst();

/** Returns whether a token is still valid. */
export const isTokenValid = async (db: Db, id: string, now: number): Promise<boolean> =>
  (await validTokens(db, now).where("api_tokens.id", "=", id).executeTakeFirst()) !== undefined;

/** Records a use. */
export const recordTokenUse = async (
  db: Db,
  id: string,
  use: { readonly now: number; readonly network: string },
): Promise<void> => {
  await db
    .updateTable("api_tokens")
    .set({ last_used_at: use.now, last_network: use.network })
    .where("id", "=", id)
    .execute();
};

/** The networks that are kept of a token; uses from further ones are not told. */
export const maxNetworks = 200;

/** Remembers a network of a token; false when it is known, or too many are. */
export const rememberNetwork = async (db: Db, tokenId: string, network: string): Promise<boolean> => {
  const { known } = await db
    .selectFrom("api_token_networks")
    .select((e) => e.fn.countAll<number>().as("known"))
    .where("token_id", "=", tokenId)
    .executeTakeFirstOrThrow();
  if (Number(known) >= maxNetworks) return false;
  const inserted = await db
    .insertInto("api_token_networks")
    .values({ token_id: tokenId, network })
    .onConflict((conflict) => conflict.columns(["token_id", "network"]).doNothing())
    .returning("network")
    .executeTakeFirst();
  return inserted !== undefined;
};

/** Renames an API token of a user and announces it; undefined when there is none with this id. */
export const renameApiToken = async (
  db: Db,
  { userId, id, name }: { readonly userId: string; readonly id: string; readonly name: string },
  now: number,
): Promise<ApiTokenRow | undefined> => {
  const row = await db
    .updateTable("api_tokens")
    .set({ name })
    .where("user_id", "=", userId)
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirst();
  if (row)
    await appendEvent(db, { userId, resource: apiTokensResource, resourceId: id, action: "updated" }, now);
  return row;
};

/** Revokes an API token of a user and announces it; false when there is none with this id. */
export const revokeApiToken = async (
  db: Db,
  { userId, id }: { readonly userId: string; readonly id: string },
  now: number,
): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom("api_tokens")
    .where("user_id", "=", userId)
    .where("id", "=", id)
    .executeTakeFirst();
  if (numDeletedRows !== 1n) return false;
  await deleteResponses(db, id);
  await appendEvent(db, { userId, resource: apiTokensResource, resourceId: id, action: "deleted" }, now);
  return true;
};

/** Revokes all API tokens of a user inside a transaction; returns how many there were. */
export const revokeAllApiTokens = async (db: Db, userId: string, now: number): Promise<number> => {
  const rows = await listApiTokenRows(db, userId);
  for (const { id } of rows) await revokeApiToken(db, { userId, id }, now);
  return rows.length;
};

/** Returns the tokens that end before a time and whose users were not told. */
export const listEndingTokens = (db: Db, before: number): Promise<ApiTokenRow[]> =>
  db
    .selectFrom("api_tokens")
    .selectAll()
    .where("expires_at", "<=", before)
    .where("end_noticed", "=", 0)
    .execute();

/** Marks a token as one whose user was told; false when that was done before. */
export const markEndNoticed = async (db: Db, id: string): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable("api_tokens")
    .set({ end_noticed: 1 })
    .where("id", "=", id)
    .where("end_noticed", "=", 0)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
};

/** The time for which a token that has ended is still listed. */
const keptAfterEndMs = 30 * dayMs;

/** Deletes API tokens that ended long ago. */
export const pruneApiTokens = async (db: Db, now: number): Promise<void> => {
  await db
    .deleteFrom("api_tokens")
    .where("expires_at", "<=", now - keptAfterEndMs)
    .execute();
};
