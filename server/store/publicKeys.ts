import type { Selectable } from "kysely";
import type { PublicKeysTable } from "./accountTables.ts";
import type { Db } from "./database.ts";

export type PublicKeyRow = Selectable<PublicKeysTable>;

/** The key a user's mail is encrypted to; undefined when it is forwarded as it comes. */
export const publicKeyOf = (db: Db, userId: string): Promise<PublicKeyRow | undefined> =>
  db.selectFrom("public_keys").selectAll().where("user_id", "=", userId).executeTakeFirst();

/** Puts a key in the place of the one before, and says so with the user. */
export const putPublicKey = async (
  db: Db,
  userId: string,
  key: { readonly publicKey: string; readonly fingerprint: string; readonly now: number },
): Promise<void> => {
  const columns = { public_key: key.publicKey, fingerprint: key.fingerprint, created_at: key.now };
  await db
    .insertInto("public_keys")
    .values({ user_id: userId, ...columns })
    .onConflict((conflict) => conflict.column("user_id").doUpdateSet(columns))
    .execute();
  await db.updateTable("users").set({ key_status: "configured" }).where("id", "=", userId).execute();
};

/** Says whether a user's key can be asked for by the addresses of their masks; false when there is none. */
export const publishKey = async (db: Db, userId: string, isPublished: boolean): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable("public_keys")
    .set({ published: isPublished ? 1 : 0 })
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
};

/** Removes a user's key; false when there is none. */
export const deletePublicKey = async (db: Db, userId: string): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom("public_keys")
    .where("user_id", "=", userId)
    .executeTakeFirst();
  await db.updateTable("users").set({ key_status: "not-configured" }).where("id", "=", userId).execute();
  return numDeletedRows === 1n;
};
