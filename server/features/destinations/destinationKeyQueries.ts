import { type Selectable, sql } from "kysely";
import type { MailboxKey } from "../../../core/mail/emailAddress.ts";
import type { FoundKey } from "../../platform/openpgp/foundKey.ts";
import type { Db } from "../../platform/store/database.ts";
import { storedKeysOf } from "../../platform/store/storedKeys.ts";
import type { DestinationKeysTable } from "./destinationTables.ts";

export type DestinationKeyRow = Selectable<DestinationKeysTable>;

/** Selects the fingerprint of a destination's oldest key; null without one. */
export const firstFingerprint = sql<string | null>`(
  select destination_keys.fingerprint from destination_keys
  where destination_keys.destination_id = destinations.id
  order by destination_keys.created_at, destination_keys.fingerprint limit 1
)`;

/** Returns the keys of a user's destinations, the oldest first; only those of one where its id is given. */
export const listDestinationKeyRows = (
  db: Db,
  userId: string,
  destinationId: string | null = null,
): Promise<DestinationKeyRow[]> =>
  db
    .selectFrom("destination_keys")
    .selectAll()
    .where("user_id", "=", userId)
    .$if(destinationId !== null, (rows) => rows.where("destination_id", "=", destinationId ?? ""))
    .orderBy("created_at")
    .orderBy("fingerprint")
    .execute();

export interface NewDestinationKey {
  readonly publicKey: string;
  readonly fingerprint: string;
  readonly expires: number | null;
}

/** Stores a key of a destination beside its others; a newer copy of one replaces it. */
export const putDestinationKey = async (
  db: Db,
  of: { readonly userId: string; readonly destinationId: string },
  { publicKey, fingerprint, expires }: NewDestinationKey,
  now: number,
): Promise<void> => {
  const columns = { public_key: publicKey, expires_at: expires, end_noticed: null };
  await db
    .insertInto("destination_keys")
    .values({
      destination_id: of.destinationId,
      user_id: of.userId,
      fingerprint,
      created_at: now,
      ...columns,
    })
    .onConflict((conflict) => conflict.columns(["destination_id", "fingerprint"]).doUpdateSet(columns))
    .execute();
  await db
    .deleteFrom("offered_keys")
    .where("destination_id", "=", of.destinationId)
    .where("fingerprint", "=", fingerprint)
    .execute();
};

/** Deletes keys of a destination: those with the fingerprints, or all for null. */
export const deleteDestinationKeys = async (
  db: Db,
  destinationId: string,
  fingerprints: readonly string[] | null,
): Promise<void> => {
  if (fingerprints?.length === 0) return;
  await db
    .deleteFrom("destination_keys")
    .where("destination_id", "=", destinationId)
    .$if(fingerprints !== null, (rows) => rows.where("fingerprint", "in", [...(fingerprints ?? [])]))
    .execute();
};

/** Keeps the key that came from a user's confirmed destination, instead of the one before, unless it is in use. */
export const offerKey = async (
  db: Db,
  of: { readonly userId: string; readonly emailKey: MailboxKey },
  key: FoundKey,
  now: number,
): Promise<void> => {
  const destination = await db
    .selectFrom("destinations")
    .select("id")
    .where("user_id", "=", of.userId)
    .where("email_key", "in", [...storedKeysOf(of.emailKey)])
    .where("confirmed_at", "is not", null)
    .executeTakeFirst();
  if (!destination) return;
  const used = await listDestinationKeyRows(db, of.userId, destination.id);
  const isUsed = used.some(
    (one) =>
      one.fingerprint === key.fingerprint &&
      (one.public_key === key.publicKey || (one.expires_at ?? null) === key.expires),
  );
  if (isUsed) return;
  const columns = { fingerprint: key.fingerprint, key: JSON.stringify(key), offered_at: now };
  await db
    .insertInto("offered_keys")
    .values({ destination_id: destination.id, user_id: of.userId, ...columns })
    .onConflict((conflict) => conflict.column("destination_id").doUpdateSet(columns))
    .execute();
};

/** Returns the key that is offered for a user's destination; null without one. */
export const findOfferedKey = async (
  db: Db,
  userId: string,
  destinationId: string,
): Promise<FoundKey | null> => {
  const row = await db
    .selectFrom("offered_keys")
    .select("key")
    .where("user_id", "=", userId)
    .where("destination_id", "=", destinationId)
    .executeTakeFirst();
  return row ? (JSON.parse(row.key) as FoundKey) : null;
};

/** Deletes all keys of a destination, those offered included. */
export const forgetDestinationKeys = async (db: Db, destinationId: string): Promise<void> => {
  await deleteDestinationKeys(db, destinationId, null);
  await db.deleteFrom("offered_keys").where("destination_id", "=", destinationId).execute();
};
