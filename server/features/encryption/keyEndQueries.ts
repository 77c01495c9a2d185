import { sql } from "kysely";
import type { Db } from "../../platform/store/database.ts";

/** A key in use, of an account or of one of its destinations. */
export interface UsedKey {
  readonly userId: string;
  /** null for the key of the account. */
  readonly destinationId: string | null;
  /** Of the destination; empty for the key of the account. */
  readonly email: string;
  readonly fingerprint: string;
  readonly publicKey: string;
}

/** A key in use that ends. */
export interface EndingKey extends UsedKey {
  readonly expiresAt: number;
}

const keysInUse = sql`
  select user_id as "userId", null as "destinationId", '' as email, fingerprint, public_key as "publicKey",
    expires_at as "expiresAt", end_noticed as noticed
  from public_keys
  union all
  select destination_keys.user_id, destination_id, destinations.email, destination_keys.fingerprint, public_key,
    expires_at, end_noticed
  from destination_keys join destinations on destinations.id = destination_id`;

/** Returns keys whose end is not known yet. */
export const listUnreadKeys = async (db: Db, limit: number): Promise<readonly UsedKey[]> =>
  (
    await sql<UsedKey>`
      select "userId", "destinationId", email, fingerprint, "publicKey" from (${keysInUse}) as used
      where "expiresAt" = 0 limit ${limit}`.execute(db)
  ).rows;

/** Returns keys that end after `now` and until `before`, and of whose end so many days ahead nothing was said. */
export const listEndingKeys = async (
  db: Db,
  { now, before, days }: { readonly now: number; readonly before: number; readonly days: number },
): Promise<readonly EndingKey[]> =>
  (
    await sql<EndingKey>`
      select "userId", "destinationId", email, fingerprint, "publicKey", "expiresAt" from (${keysInUse}) as used
      where "expiresAt" > ${now} and "expiresAt" <= ${before} and (noticed is null or noticed > ${days})
      order by "expiresAt" limit 1000`.execute(db)
  ).rows.map((row) => ({ ...row, expiresAt: Number(row.expiresAt) }));

const tableOf = ({ userId, destinationId, fingerprint }: UsedKey) =>
  destinationId === null
    ? { table: sql`public_keys`, isIt: sql`user_id = ${userId} and fingerprint = ${fingerprint}` }
    : {
        table: sql`destination_keys`,
        isIt: sql`destination_id = ${destinationId} and fingerprint = ${fingerprint}`,
      };

/** Stores until when mail can be encrypted to a key, unless another copy of it was stored meanwhile. */
export const setKeyEnd = async (db: Db, key: UsedKey, expiresAt: number | null): Promise<void> => {
  const { table, isIt } = tableOf(key);
  await sql`update ${table} set expires_at = ${expiresAt}
    where ${isIt} and expires_at = 0 and public_key = ${key.publicKey}`.execute(db);
};

/** Notes that the owner of a key is told of its end; false when that has happened, or the key has changed. */
export const markEndNoticed = async (db: Db, key: EndingKey, days: number): Promise<boolean> => {
  const { table, isIt } = tableOf(key);
  const { numAffectedRows } = await sql`update ${table} set end_noticed = ${days}
    where ${isIt} and expires_at = ${key.expiresAt} and (end_noticed is null or end_noticed > ${days})`.execute(
    db,
  );
  return numAffectedRows === 1n;
};

/** True if a destination has another key that lasts longer; of an account there is no other. */
export const hasLongerKey = async (db: Db, { destinationId, expiresAt }: EndingKey): Promise<boolean> => {
  if (destinationId === null) return false;
  const longer = await db
    .selectFrom("destination_keys")
    .select("fingerprint")
    .where("destination_id", "=", destinationId)
    .where(({ eb, or }) => or([eb("expires_at", "is", null), eb("expires_at", ">", expiresAt)]))
    .executeTakeFirst();
  return longer !== undefined;
};
