import { exhaustMap, from, timer } from "rxjs";
import type { Clock } from "../../core/ports/clock.ts";
import { traceOf } from "../http/errors.ts";
import type { Log } from "../log.ts";
import { dueFarewells, endFarewell, putOffFarewell } from "../store/billingFarewells.ts";
import type { Database } from "../store/database.ts";
import type { Provider } from "./provider.ts";

const lookEachMs = 2_000;
const atOnce = 20;
/** After a failure the provider is told again in 10 s, then after twice as long each time, at most an hour. */
const againAfterMs = 10_000;
const againAtMostMs = 60 * 60_000;

export interface FarewellParts {
  readonly database: Database;
  readonly provider: Pick<Provider, "deleteCustomer">;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Makes what ends the payments of deleted accounts: the provider is told until it has heard, through restarts and for
 * as long as that takes. `start` begins and hands back how to stop.
 */
export const makeFarewells = ({ database, provider, clock, log }: FarewellParts) => {
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
  return {
    start: (): (() => void) => {
      const rounds = timer(0, lookEachMs, clock.scheduler).pipe(
        exhaustMap(() =>
          from(
            tell().catch((error: unknown) =>
              log.error({ error: traceOf(error) }, "payments of deleted accounts"),
            ),
          ),
        ),
      );
      const running = rounds.subscribe();
      return () => running.unsubscribe();
    },
  };
};
