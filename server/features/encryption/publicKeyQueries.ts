import type { Selectable } from "kysely";
import type { Db } from "../../platform/store/database.ts";
import type { PublicKeysTable } from "./encryptionTables.ts";

export type PublicKeyRow = Selectable<PublicKeysTable>;

/** Returns the key that a user's mail is encrypted to; undefined when it is forwarded unencrypted. */
export const findPublicKey = (db: Db, userId: string): Promise<PublicKeyRow | undefined> =>
  db.selectFrom("public_keys").selectAll().where("user_id", "=", userId).executeTakeFirst();

/**
 * Stores a user's key, replacing the previous one, and marks the user's encryption as configured. Nobody can look up a
 * first key until its owner publishes it; a key that replaces another is published if that one was.
 */
export const upsertPublicKey = async (
  db: Db,
  userId: string,
  key: {
    readonly publicKey: string;
    readonly fingerprint: string;
    /** The end of the time in which mail can be encrypted to it; null without an end, absent before that is known. */
    readonly expires?: number | null;
    readonly now: number;
  },
): Promise<void> => {
  const columns = {
    public_key: key.publicKey,
    fingerprint: key.fingerprint,
    created_at: key.now,
    expires_at: key.expires === undefined ? 0 : key.expires,
    end_noticed: null,
  };
  await db
    .insertInto("public_keys")
    .values({ user_id: userId, ...columns, published: 0 })
    .onConflict((conflict) => conflict.column("user_id").doUpdateSet(columns))
    .execute();
  await db.updateTable("users").set({ key_status: "configured" }).where("id", "=", userId).execute();
};

/** Sets whether the Web Key Directory serves a user's key; false when there is none. */
export const setKeyPublished = async (db: Db, userId: string, isPublished: boolean): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable("public_keys")
    .set({ published: isPublished ? 1 : 0 })
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
};

/** Deletes a user's key; false when there is none. */
export const deletePublicKey = async (db: Db, userId: string): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom("public_keys")
    .where("user_id", "=", userId)
    .executeTakeFirst();
  await db.updateTable("users").set({ key_status: "not-configured" }).where("id", "=", userId).execute();
  return numDeletedRows === 1n;
};
