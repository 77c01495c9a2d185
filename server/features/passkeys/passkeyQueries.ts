import type { Selectable } from "kysely";
import type { Db } from "../../platform/store/database.ts";
import type { PasskeysTable } from "./passkeyTables.ts";

export type PasskeyRow = Selectable<PasskeysTable>;

/** Returns a user's passkeys, newest first. */
export const listPasskeyRows = (db: Db, userId: string): Promise<PasskeyRow[]> =>
  db
    .selectFrom("passkeys")
    .selectAll()
    .where("user_id", "=", userId)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .execute();

/** Returns the passkey that an authenticator knows by this id; undefined when there is none. */
export const findPasskeyByCredential = (db: Db, credentialId: string): Promise<PasskeyRow | undefined> =>
  db.selectFrom("passkeys").selectAll().where("credential_id", "=", credentialId).executeTakeFirst();

/** Stores a new passkey; false when the authenticator has given its id before. */
export const insertPasskey = async (db: Db, row: PasskeyRow): Promise<boolean> => {
  const inserted = await db
    .insertInto("passkeys")
    .values(row)
    .onConflict((conflict) => conflict.column("credential_id").doNothing())
    .returning("id")
    .executeTakeFirst();
  return inserted !== undefined;
};

export interface PasskeyUse {
  readonly counter: number;
  readonly isVerified: boolean;
  readonly isBackedUp: boolean;
  readonly now: number;
}

/** Records a use; false when the counter has not increased since, also of a parallel one, or the passkey is removed. */
export const recordPasskeyUse = async (db: Db, id: string, use: PasskeyUse): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable("passkeys")
    .set({
      counter: use.counter,
      backed_up: use.isBackedUp ? 1 : 0,
      last_used_at: use.now,
      ...(use.isVerified ? { verifies: 1 } : {}),
    })
    .where("id", "=", id)
    .where((e) => (use.counter === 0 ? e("counter", "=", 0) : e("counter", "<", use.counter)))
    .executeTakeFirst();
  return numUpdatedRows === 1n;
};

/** Renames a passkey of a user; undefined when there is none with this id. */
export const renamePasskey = (
  db: Db,
  { userId, id, name }: { readonly userId: string; readonly id: string; readonly name: string },
): Promise<PasskeyRow | undefined> =>
  db
    .updateTable("passkeys")
    .set({ name })
    .where("user_id", "=", userId)
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirst();

/** Deletes a passkey of a user and returns it; undefined when there is none with this id. */
export const deletePasskeyRow = (db: Db, userId: string, id: string): Promise<PasskeyRow | undefined> =>
  db
    .deleteFrom("passkeys")
    .where("user_id", "=", userId)
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirst();
