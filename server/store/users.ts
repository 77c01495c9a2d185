import type { Selectable } from "kysely";
import type { Tier } from "../../core/tiers/tier.ts";
import type { UsersTable } from "./accountTables.ts";
import type { Db } from "./database.ts";

export type UserRow = Selectable<UsersTable>;

export const userById = (db: Db, id: string): Promise<UserRow | undefined> =>
  db.selectFrom("users").selectAll().where("id", "=", id).executeTakeFirst();

export const userOfMailbox = (db: Db, emailKey: string): Promise<UserRow | undefined> =>
  db.selectFrom("users").selectAll().where("email_key", "=", emailKey).executeTakeFirst();

export interface NewUser {
  readonly id: string;
  readonly email: string;
  readonly emailKey: string;
  readonly tier: Tier;
  readonly now: number;
}

/** Makes a user; undefined when the mailbox has one already, also under parallel sign-ups. */
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
      created_at: user.now,
    })
    .onConflict((conflict) => conflict.column("email_key").doNothing())
    .returningAll()
    .executeTakeFirst();

/** Gives a user another address. Fails as a duplicate when the mailbox has a user already. */
export const setAddress = (
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
 * Counts masks up or down and answers the user as it is then. The row stays locked until the transaction ends, so a
 * caller that finds too many may roll back and nobody will have passed meanwhile.
 */
export const countMasks = (db: Db, userId: string, change: -1 | 0 | 1): Promise<UserRow | undefined> =>
  db
    .updateTable("users")
    .set((e) => ({ mask_count: e("mask_count", "+", change) }))
    .where("id", "=", userId)
    .returningAll()
    .executeTakeFirst();

/** Makes whoever else wants to lock this user wait until the transaction ends. */
export const lockUser = async (db: Db, userId: string): Promise<void> => {
  await countMasks(db, userId, 0);
};
