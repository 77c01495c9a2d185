import type { Kysely } from "kysely";
import { firstValueFrom, timer } from "rxjs";
import type { Clock } from "../../../core/ports/clock.ts";
import type { Random } from "../../../core/ports/random.ts";
import { errorCode } from "../errors/errorCode.ts";
import { collectChangedUsers } from "./changedUsers.ts";
import type { Channel, RunInTransaction } from "./engine.ts";
import type { Tables } from "./tables.ts";

/** SQLSTATE of a serialization failure and of a deadlock: nothing is stored, and another attempt may succeed. */
const conflictCodes = new Set(["40001", "40P01"]);
const maxAttempts = 6;
/** The longest pause before the second attempt; it doubles with each further one. */
const firstPauseMs = 20;

export interface TransactionDeps {
  readonly channel: Pick<Channel, "changed">;
  readonly clock: Pick<Clock, "scheduler">;
  readonly random: Pick<Random, "fraction">;
}

const isConflict = (error: unknown): boolean => conflictCodes.has(errorCode(error));

/**
 * Returns a function that runs work in a transaction, and again after a random pause when it conflicted with another
 * transaction, six times at most. The users whose changes it recorded are announced next.
 */
export const createPostgresqlTransactions =
  (db: Kysely<Tables>, { channel, clock, random }: TransactionDeps): RunInTransaction =>
  async (work) => {
    for (let attempt = 1; ; attempt += 1) {
      const changed = new Set<string>();
      try {
        const result = await db.transaction().execute((transaction) => {
          collectChangedUsers(transaction, changed);
          return work(transaction);
        });
        for (const userId of changed) channel.changed.add(userId);
        return result;
      } catch (error) {
        if (attempt === maxAttempts || !isConflict(error)) throw error;
        const pauseMs = random.fraction() * firstPauseMs * 2 ** (attempt - 1);
        await firstValueFrom(timer(pauseMs, clock.scheduler));
      }
    }
  };
