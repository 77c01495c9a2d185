import type { Selectable } from "kysely";
import type { AddressChangesTable } from "./accountTables.ts";
import type { Db } from "./database.ts";

export type AddressChangeRow = Selectable<AddressChangesTable>;

/**
 * Takes the lock on a user's change of address, making an empty one for a user who has none, and answers when code
 * mails went out for it. Others who want the same wait until the transaction ends.
 */
export const lockAddressChange = async (db: Db, userId: string): Promise<readonly number[]> => {
  const { sent_at } = await db
    .insertInto("address_changes")
    .values({
      user_id: userId,
      email: "",
      email_key: "",
      code_hash: "",
      expires_at: 0,
      tries: 0,
      sent_at: "[]",
    })
    .onConflict((conflict) =>
      conflict.column("user_id").doUpdateSet((e) => ({ user_id: e.ref("excluded.user_id") })),
    )
    .returning("sent_at")
    .executeTakeFirstOrThrow();
  return JSON.parse(sent_at) as number[];
};

export interface NewAddressChange {
  readonly email: string;
  readonly emailKey: string;
  readonly codeHash: string;
  readonly expiresAt: number;
  readonly sentAt: readonly number[];
}

/** Puts a wanted address and its code in the place of the ones before, which are dead from now on. */
export const replaceAddressChange = async (
  db: Db,
  userId: string,
  wanted: NewAddressChange,
): Promise<void> => {
  await db
    .updateTable("address_changes")
    .set({
      email: wanted.email,
      email_key: wanted.emailKey,
      code_hash: wanted.codeHash,
      expires_at: wanted.expiresAt,
      tries: 0,
      sent_at: JSON.stringify(wanted.sentAt),
    })
    .where("user_id", "=", userId)
    .execute();
};

/**
 * Counts one try and answers what it is about; undefined when the user wants no such address, its code is too old, or
 * `mostTries` have been made. Counting comes first, so parallel tries cannot be more than that.
 */
export const countAddressTry = (
  db: Db,
  wanted: Pick<AddressChangeRow, "user_id" | "email_key">,
  now: number,
  mostTries: number,
): Promise<AddressChangeRow | undefined> =>
  db
    .updateTable("address_changes")
    .set((e) => ({ tries: e("tries", "+", 1) }))
    .where("user_id", "=", wanted.user_id)
    .where("email_key", "=", wanted.email_key)
    .where("expires_at", ">", now)
    .where("tries", "<", mostTries)
    .returningAll()
    .executeTakeFirst();

/** Uses the code up; false when somebody else has, or a newer one has taken its place. Its mails go on counting. */
export const takeAddressChange = async (
  db: Db,
  userId: string,
  codeHash: string,
  now: number,
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable("address_changes")
    .set({ email: "", email_key: "", code_hash: "", expires_at: now })
    .where("user_id", "=", userId)
    .where("code_hash", "=", codeHash)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
};

/** Forgets the changes whose code was dead before `deadline`. */
export const pruneAddressChanges = async (db: Db, deadline: number): Promise<void> => {
  await db.deleteFrom("address_changes").where("expires_at", "<", deadline).execute();
};
