import { type Selectable, sql } from "kysely";
import type { Db } from "../../../platform/store/database.ts";
import { countAttempt } from "../../signInCodes/attempts.ts";
import { triesPerSecondFactor } from "../../signInCodes/codeLimits.ts";
import { twoFactorSetupLifetimeMs } from "../lifetimes.ts";
import type { SecondFactorTicketsTable, TwoFactorsTable } from "../sessionTables.ts";

export type TwoFactorRow = Selectable<TwoFactorsTable>;

/** Returns a user's authenticator, verified or not; undefined when there is none. */
export const findTwoFactor = (db: Db, userId: string): Promise<TwoFactorRow | undefined> =>
  db.selectFrom("two_factors").selectAll().where("user_id", "=", userId).executeTakeFirst();

/** Stores a new secret unless the user has a verified authenticator; returns false then. */
export const offerTwoFactorSecret = async (
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

/** Activates an authenticator with the time step of its first accepted code; false when it awaits no verification. */
export const activateTwoFactor = async (
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

/** Accepts a time step if it is later than every accepted one; of parallel requests one succeeds (RFC 6238, 5.2). */
export const acceptTimeStep = async (db: Db, userId: string, step: number): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable("two_factors")
    .set({ last_step: step })
    .where("user_id", "=", userId)
    .where("last_step", "<", step)
    .where("verified_at", "is not", null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
};

export interface AttemptLimit {
  readonly most: number;
  readonly withinMs: number;
}

/** Counts an attempt of a signed-in user before it is checked; false when there were `most` within the time. */
export const countFactorAttempt = async (
  db: Db,
  userId: string,
  now: number,
  { most, withinMs }: AttemptLimit,
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

/** Deletes a user's authenticator with its recovery codes and tickets. */
export const removeTwoFactor = async (db: Db, userId: string): Promise<void> => {
  await db.deleteFrom("two_factors").where("user_id", "=", userId).execute();
  await db.deleteFrom("recovery_codes").where("user_id", "=", userId).execute();
  await db.deleteFrom("second_factor_tickets").where("user_id", "=", userId).execute();
  await db.updateTable("users").set({ two_factor: 0 }).where("id", "=", userId).execute();
};

/** Deletes secrets whose setup has expired. */
export const pruneTwoFactorOffers = async (db: Db, now: number): Promise<void> => {
  await db
    .deleteFrom("two_factors")
    .where("verified_at", "is", null)
    .where("created_at", "<=", now - twoFactorSetupLifetimeMs)
    .execute();
};

/** Replaces all recovery codes of a user. */
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

/** Consumes a code; false when the user has no such code. */
export const consumeRecoveryCode = async (db: Db, userId: string, hash: string): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom("recovery_codes")
    .where("user_id", "=", userId)
    .where("code_hash", "=", hash)
    .executeTakeFirst();
  return numDeletedRows === 1n;
};

/** Returns how many unused codes a user has. */
export const countRecoveryCodes = async (db: Db, userId: string): Promise<number> => {
  const { left } = await db
    .selectFrom("recovery_codes")
    .select(({ fn }) => fn.countAll<number>().as("left"))
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  return Number(left);
};

/** Returns how many passkeys a user has. */
export const countPasskeys = async (db: Db, userId: string): Promise<number> => {
  const { count } = await db
    .selectFrom("passkeys")
    .select(({ fn }) => fn.countAll().as("count"))
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  return Number(count);
};

export const insertFactorTicket = async (
  db: Db,
  ticket: {
    readonly tokenHash: string;
    readonly userId: string;
    readonly expiresAt: number;
    readonly passkeyId?: string | null;
    readonly isRecoveryOnly?: boolean;
  },
): Promise<void> => {
  await db
    .insertInto("second_factor_tickets")
    .values({
      token_hash: ticket.tokenHash,
      user_id: ticket.userId,
      expires_at: ticket.expiresAt,
      passkey_id: ticket.passkeyId ?? null,
      recovery_only: ticket.isRecoveryOnly === true ? 1 : 0,
      tries: 0,
    })
    .execute();
};

/** Counts one attempt at a ticket and returns it; undefined when none are left. */
export const tryFactorTicket = (
  db: Db,
  tokenHash: string,
  now: number,
): Promise<Selectable<SecondFactorTicketsTable> | undefined> =>
  countAttempt(db, "second_factor_tickets", {
    where: sql`token_hash = ${tokenHash}`,
    now,
    most: triesPerSecondFactor,
  });

/** Consumes a ticket; false when it was already used. */
export const consumeFactorTicket = async (db: Db, tokenHash: string): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom("second_factor_tickets")
    .where("token_hash", "=", tokenHash)
    .executeTakeFirst();
  return numDeletedRows === 1n;
};

/** Deletes a user's tickets, whose proof is no longer valid. */
export const deleteFactorTickets = async (db: Db, userId: string): Promise<void> => {
  await db.deleteFrom("second_factor_tickets").where("user_id", "=", userId).execute();
};

export const pruneFactorTickets = async (db: Db, now: number): Promise<void> => {
  await db.deleteFrom("second_factor_tickets").where("expires_at", "<=", now).execute();
};
