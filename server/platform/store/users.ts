import type { Selectable } from "kysely";
import type { MailboxKey } from "../../../core/mail/emailAddress.ts";
import type { Tier } from "../../../core/tiers/tier.ts";
import { invalidSession } from "../errors/useCaseError.ts";
import type { Db } from "./database.ts";
import { rowOfMailbox, storedKeysOf } from "./storedKeys.ts";
import type { UsersTable } from "./tables.ts";

export type UserRow = Selectable<UsersTable>;

export const findUser = (db: Db, id: string): Promise<UserRow | undefined> =>
  db.selectFrom("users").selectAll().where("id", "=", id).executeTakeFirst();

/** Returns the user with a mailbox, with its domain in either script; undefined without one. */
export const findUserByMailbox = async (db: Db, emailKey: MailboxKey): Promise<UserRow | undefined> => {
  const keys = [...storedKeysOf(emailKey)];
  return rowOfMailbox(
    await db.selectFrom("users").selectAll().where("email_key", "in", keys).execute(),
    emailKey,
  );
};

export interface NewUser {
  readonly id: string;
  readonly email: string;
  readonly emailKey: MailboxKey;
  readonly tier: Tier;
  readonly isOperator: boolean;
  readonly now: number;
}

/** True if no account exists yet. */
export const hasNoUsers = async (db: Db): Promise<boolean> =>
  (await db.selectFrom("users").select("id").limit(1).executeTakeFirst()) === undefined;

/** Inserts a user; undefined when the mailbox already has one, also under parallel sign-ups. */
export const insertUser = (db: Db, user: NewUser): Promise<UserRow | undefined> =>
  db
    .insertInto("users")
    .values({
      id: user.id,
      email: user.email,
      email_key: user.emailKey,
      tier: user.tier,
      key_status: "not-configured",
      two_factor: 0,
      mask_count: 0,
      is_operator: user.isOperator ? 1 : 0,
      created_at: user.now,
    })
    .onConflict((conflict) => conflict.column("email_key").doNothing())
    .returningAll()
    .executeTakeFirst();

/** Changes a user's address. Fails with a duplicate error when the mailbox already has a user. */
export const updateUserAddress = (
  db: Db,
  userId: string,
  { email, emailKey }: Pick<NewUser, "email" | "emailKey">,
): Promise<UserRow> =>
  db
    .updateTable("users")
    .set({ email, email_key: emailKey })
    .where("id", "=", userId)
    .returningAll()
    .executeTakeFirstOrThrow();

/**
 * Changes a user's number of masks and returns the updated row, which stays locked until the transaction ends,
 * so that a caller may roll back when there are too many.
 */
export const adjustMaskCount = (db: Db, userId: string, change: number): Promise<UserRow | undefined> =>
  db
    .updateTable("users")
    .set((e) => ({ mask_count: e("mask_count", "+", change) }))
    .where("id", "=", userId)
    .returningAll()
    .executeTakeFirst();

/** Suspends an account, or ends its suspension. */
export const setSuspended = async (db: Db, userId: string, isSuspended: boolean): Promise<void> => {
  await db
    .updateTable("users")
    .set({ suspended: isSuspended ? 1 : 0 })
    .where("id", "=", userId)
    .execute();
};

/** Makes exactly the accounts with these addresses operators. */
export const setOperators = async (db: Db, emailKeys: readonly MailboxKey[]): Promise<void> => {
  const keys = emailKeys.flatMap(storedKeysOf);
  await db
    .updateTable("users")
    .set({ is_operator: 0 })
    .where("is_operator", "=", 1)
    .where("email_key", "not in", keys)
    .execute();
  await db.updateTable("users").set({ is_operator: 1 }).where("email_key", "in", keys).execute();
};

/** Locks a user until the transaction ends. */
export const lockUser = async (db: Db, userId: string): Promise<void> => {
  await adjustMaskCount(db, userId, 0);
};

/** Returns the user of a session. Rejects with the 401 of an ended session when the user no longer exists. */
export const getUser = async (db: Db, userId: string): Promise<UserRow> => {
  const user = await findUser(db, userId);
  if (!user) throw invalidSession();
  return user;
};

/** Locks the user for the rest of the transaction and returns it; rejects like `getUser`. */
export const getLockedUser = async (db: Db, userId: string): Promise<UserRow> => {
  await lockUser(db, userId);
  return getUser(db, userId);
};
