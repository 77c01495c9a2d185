import { minuteMs } from "../../core/kernel/durations.ts";
import type { Clock } from "../../core/ports/clock.ts";
import { Refusal, refusedField } from "../http/refusal.ts";
import type { Database, Db } from "../store/database.ts";
import { countFactorTry } from "../store/twoFactors.ts";
import type { UserRow } from "../store/users.ts";
import type { TakeFactor } from "./secondFactor.ts";

/** How often somebody signed in may try a second factor, each quarter of an hour. */
const limit = { most: 5, withinMs: 15 * minuteMs };

const tooMany = (): Refusal =>
  new Refusal(429, "Too many wrong codes. Please try again in 15 minutes.", {
    retryAfterS: limit.withinMs / 1_000,
  });

/** Counts a try of a second factor by somebody signed in. Rejects with 429 after five in 15 minutes. */
export const countTry = async (db: Db, userId: string, now: number): Promise<void> => {
  if (!(await countFactorTry(db, userId, now, limit))) throw tooMany();
};

/** What somebody typed as their second factor, or nothing. */
type Typed = string | undefined;

/** What an account with two factors asks of somebody signed in before it does what cannot be undone. */
export interface RequiredFactor {
  /** Throws 400 when nothing was typed. */
  readonly demand: (user: UserRow, code: Typed) => void;
  /** The same, and counts the try: to be called before the code is compared, and outside of the transaction. */
  readonly count: (user: UserRow, code: Typed) => Promise<void>;
  /** Uses the factor up. Rejects with 400 when it is not right. */
  readonly take: (db: Db, user: UserRow, code: Typed) => Promise<void>;
}

interface Needs {
  readonly database: Database;
  readonly clock: Pick<Clock, "now">;
  readonly takeFactor: TakeFactor;
}

/** Makes the check of a second factor that stands in `field` of a request. An account without one passes. */
export const makeRequiredFactor = ({ database, clock, takeFactor }: Needs, field: string): RequiredFactor => {
  /** Null where none is needed. */
  const demanded = (user: UserRow, code: Typed): string | null => {
    if (user.two_factor === 0) return null;
    if (code === undefined) throw refusedField(400, field, "2FA code is required");
    return code;
  };
  return {
    demand: demanded,
    count: async (user, code) => {
      if (demanded(user, code) !== null) await countTry(database.db, user.id, clock.now());
    },
    take: async (db, user, typed) => {
      const code = demanded(user, typed);
      if (code !== null) await takeFactor(db, { userId: user.id, code, now: clock.now(), field }, 400);
    },
  };
};
