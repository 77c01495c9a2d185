import type { Db } from "./database.ts";

/** Puts these codes in the place of all the user had. */
export const replaceRecoveryCodes = async (
  db: Db,
  userId: string,
  hashes: readonly string[],
): Promise<void> => {
  await db.deleteFrom("recovery_codes").where("user_id", "=", userId).execute();
  await db
    .insertInto("recovery_codes")
    .values(hashes.map((code_hash) => ({ user_id: userId, code_hash })))
    .execute();
};

/** Uses a code up; false when the user has no such code (any more). */
export const takeRecoveryCode = async (db: Db, userId: string, hash: string): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom("recovery_codes")
    .where("user_id", "=", userId)
    .where("code_hash", "=", hash)
    .executeTakeFirst();
  return numDeletedRows === 1n;
};

/** How many codes a user has left. */
export const countRecoveryCodes = async (db: Db, userId: string): Promise<number> => {
  const { left } = await db
    .selectFrom("recovery_codes")
    .select(({ fn }) => fn.countAll<number>().as("left"))
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  return Number(left);
};
