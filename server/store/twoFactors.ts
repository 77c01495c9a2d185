import type { Selectable } from "kysely";
import type { TwoFactorsTable } from "./accountTables.ts";
import type { Db } from "./database.ts";

export type TwoFactorRow = Selectable<TwoFactorsTable>;

/** A user's authenticator, verified or not; undefined when there is none. */
export const twoFactorOf = (db: Db, userId: string): Promise<TwoFactorRow | undefined> =>
  db.selectFrom("two_factors").selectAll().where("user_id", "=", userId).executeTakeFirst();

/** Puts a new secret in the place of one that was never verified; false when one has been. */
export const offerSecret = async (
  db: Db,
  userId: string,
  { secret, now }: { readonly secret: string; readonly now: number },
): Promise<boolean> => {
  const offered = await db
    .insertInto("two_factors")
    .values({
      user_id: userId,
      secret,
      verified_at: null,
      last_step: -1,
      tries: 0,
      tries_from: now,
      created_at: now,
    })
    .onConflict((conflict) =>
      conflict
        .column("user_id")
        .doUpdateSet({ secret, created_at: now })
        .where("two_factors.verified_at", "is", null),
    )
    .returning("user_id")
    .executeTakeFirst();
  return offered !== undefined;
};

/** Makes an authenticator count from now on, with the step of its first code taken; false when this secret is not waiting. */
export const activate = async (
  db: Db,
  userId: string,
  { secret, step, now }: { readonly secret: string; readonly step: number; readonly now: number },
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable("two_factors")
    .set({ verified_at: now, last_step: step })
    .where("user_id", "=", userId)
    .where("secret", "=", secret)
    .where("verified_at", "is", null)
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) return false;
  await db.updateTable("users").set({ two_factor: 1 }).where("id", "=", userId).execute();
  return true;
};

/** Takes a step if it lies above every step taken before: of many that come at once, one does (RFC 6238, 5.2). */
export const takeStep = async (db: Db, userId: string, step: number): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable("two_factors")
    .set({ last_step: step })
    .where("user_id", "=", userId)
    .where("last_step", "<", step)
    .where("verified_at", "is not", null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
};

export interface TryLimit {
  readonly most: number;
  readonly withinMs: number;
}

/** Counts a try of somebody signed in before it is looked at; false when there were `most` within the time. */
export const countFactorTry = async (
  db: Db,
  userId: string,
  now: number,
  { most, withinMs }: TryLimit,
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable("two_factors")
    .set((e) => ({
      tries: e
        .case()
        .when("tries_from", "<=", now - withinMs)
        .then(1)
        .else(e("tries", "+", 1))
        .end(),
      tries_from: e
        .case()
        .when("tries_from", "<=", now - withinMs)
        .then(now)
        .else(e.ref("tries_from"))
        .end(),
    }))
    .where("user_id", "=", userId)
    .where((e) => e.or([e("tries", "<", most), e("tries_from", "<=", now - withinMs)]))
    .executeTakeFirst();
  return numUpdatedRows === 1n;
};

/** Removes a user's authenticator with everything that leans on it. */
export const removeTwoFactor = async (db: Db, userId: string): Promise<void> => {
  await db.deleteFrom("two_factors").where("user_id", "=", userId).execute();
  await db.deleteFrom("recovery_codes").where("user_id", "=", userId).execute();
  await db.deleteFrom("second_factor_tickets").where("user_id", "=", userId).execute();
  await db.updateTable("users").set({ two_factor: 0 }).where("id", "=", userId).execute();
};

/** Forgets secrets offered before a time that no code has verified. */
export const pruneOffers = async (db: Db, before: number): Promise<void> => {
  await db
    .deleteFrom("two_factors")
    .where("verified_at", "is", null)
    .where("created_at", "<=", before)
    .execute();
};
