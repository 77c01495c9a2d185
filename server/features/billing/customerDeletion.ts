import { hourMs } from "../../../core/kernel/durations.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import { createIntervalTask, type IntervalTask } from "../../platform/ops/interval.ts";
import type { Log } from "../../platform/ops/log.ts";
import type { Database } from "../../platform/store/database.ts";
import { deleteCancellation, listDueCancellations, postponeCancellation } from "./customerQueries.ts";
import type { PaymentProvider } from "./paymentProvider.ts";

const checkEveryMs = 2_000;
const batchSize = 20;
/** The first retry delay; it doubles up to an hour. */
const retryAfterMs = 10_000;
const maxRetryAfterMs = hourMs;

export interface CustomerDeletionDeps {
  readonly database: Database;
  readonly provider: Pick<PaymentProvider, "deleteCustomer">;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Creates the task that deletes the provider customers of deleted accounts, which ends their payments. It
 * retries until the provider confirms, across restarts.
 */
export const createCustomerDeletion = ({
  database,
  provider,
  clock,
  log,
}: CustomerDeletionDeps): IntervalTask => {
  const { db } = database;
  const deleteDueCustomers = async (): Promise<void> => {
    for (const deletion of await listDueCancellations(db, clock.now(), batchSize)) {
      const { customerId, tries } = deletion;
      const failure = await provider.deleteCustomer(customerId).then(
        () => null,
        (error: unknown) => (error instanceof Error ? error.message : "unknown"),
      );
      if (failure === null) await deleteCancellation(db, customerId);
      else {
        log.warn({ reason: failure, tries }, "could not end the payments of a deleted account; will retry");
        const wait = Math.min(maxRetryAfterMs, retryAfterMs * 2 ** Math.min(tries, 20));
        await postponeCancellation(db, deletion, clock.now() + wait);
      }
    }
  };
  return createIntervalTask(deleteDueCustomers, {
    everyMs: checkEveryMs,
    failureMessage: "could not process the payments of deleted accounts",
    clock,
    log,
  });
};
