import { minuteMs } from "../../../../core/kernel/durations.ts";
import type { Clock } from "../../../../core/ports/clock.ts";
import { fieldError, UseCaseError } from "../../../platform/errors/useCaseError.ts";
import type { Database, Db } from "../../../platform/store/database.ts";
import type { UserRow } from "../../../platform/store/users.ts";
import type { ConsumeFactor, CountFactorTry } from "./secondFactor.ts";
import { countFactorAttempt } from "./twoFactorQueries.ts";

/** Per signed-in user. */
const tryLimit = { most: 5, withinMs: 15 * minuteMs };

const tooMany = (): UseCaseError =>
  new UseCaseError(
    "too-often",
    `Too many wrong codes. Try again in ${tryLimit.withinMs / minuteMs} minutes.`,
    { retryAfterS: tryLimit.withinMs / 1_000 },
  );

interface SecondFactorTryDeps {
  readonly database: Database;
  readonly clock: Pick<Clock, "now">;
  readonly countFactorTry: CountFactorTry;
}

/**
 * Counts a second-factor try of a signed-in user. Rejects with 429 after five tries in 15 minutes, and after ten wrong
 * ones in a day.
 */
export const countSecondFactorTry = async (
  { database, clock, countFactorTry }: SecondFactorTryDeps,
  userId: string,
): Promise<void> => {
  if (!(await countFactorAttempt(database.db, userId, clock.now(), tryLimit))) throw tooMany();
  await countFactorTry(userId);
};

type EnteredCode = string | undefined;

/** The second-factor check before an irreversible change by a signed-in user. */
export interface RequiredFactor {
  /** Throws 400 when a required code is missing. */
  readonly assertGiven: (user: UserRow, code: EnteredCode) => void;
  /** Checks the presence of the code and counts the try; call it outside the transaction, before `consume`. */
  readonly countTry: (user: UserRow, code: EnteredCode) => Promise<void>;
  /** Consumes the second factor. Rejects with 400 when it is wrong. */
  readonly consume: (db: Db, user: UserRow, code: EnteredCode) => Promise<void>;
}

interface RequiredFactorDeps extends SecondFactorTryDeps {
  readonly consumeFactor: ConsumeFactor;
}

/** Creates the check of the second factor in `field` of a request. An account without two factors passes. */
export const createRequiredFactor = (deps: RequiredFactorDeps, field: string): RequiredFactor => {
  const { clock, consumeFactor } = deps;
  /** null when none is required. */
  const requiredCode = (user: UserRow, code: EnteredCode): string | null => {
    if (user.two_factor === 0) return null;
    if (code === undefined) throw fieldError("invalid", field, "2FA code is required");
    return code;
  };
  return {
    assertGiven: requiredCode,
    countTry: async (user, code) => {
      if (requiredCode(user, code) !== null) await countSecondFactorTry(deps, user.id);
    },
    consume: async (db, user, typed) => {
      const code = requiredCode(user, typed);
      if (code !== null)
        await consumeFactor(db, { userId: user.id, code, now: clock.now(), field }, "invalid");
    },
  };
};
