import { hourMs } from "../../core/kernel/durations.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { Log } from "../log.ts";
import { makeRounds, type Rounds } from "../rounds.ts";
import { dueFarewells, endFarewell, putOffFarewell } from "../store/billingFarewells.ts";
import type { Database } from "../store/database.ts";
import type { Provider } from "./provider.ts";

const lookEachMs = 2_000;
const atOnce = 20;
/** After a failure the provider is told again in 10 s, then after twice as long each time, at most an hour. */
const againAfterMs = 10_000;
const againAtMostMs = hourMs;

export interface FarewellParts {
  readonly database: Database;
  readonly provider: Pick<Provider, "deleteCustomer">;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Makes what ends the payments of deleted accounts: the provider is told until it has heard, through restarts and for
 * as long as that takes.
 */
export const makeFarewells = ({ database, provider, clock, log }: FarewellParts): Rounds => {
  const { db } = database;
  const tell = async (): Promise<void> => {
    for (const farewell of await dueFarewells(db, clock.now(), atOnce)) {
      const { customerId, tries } = farewell;
      const failure = await provider.deleteCustomer(customerId).then(
        () => null,
        (error: unknown) => (error instanceof Error ? error.message : "unknown"),
      );
      if (failure === null) await endFarewell(db, customerId);
      else {
        log.warn({ reason: failure, tries }, "a deleted account's payments could not be ended yet");
        const wait = Math.min(againAtMostMs, againAfterMs * 2 ** Math.min(tries, 20));
        await putOffFarewell(db, farewell, clock.now() + wait);
      }
    }
  };
  return makeRounds(tell, {
    everyMs: lookEachMs,
    failed: "payments of deleted accounts could not be looked at",
    clock,
    log,
  });
};
