import { Histogram, type Registry } from "@prometheus-io/client";
import { errorCode } from "../errors/errorCode.ts";
import { storageProblemOf } from "../storage/storageProblem.ts";
import type { Database } from "../store/database.ts";
import type { ReadPlace } from "../store/standbyReads.ts";
import { createLabelledCounter } from "./labelledCounter.ts";

export interface StoreMetrics {
  /** Observes a commit of mails and results, in seconds. */
  readonly onCommit: (seconds: number) => void;
  /** Counts a read that may run on a standby by where it has run. */
  readonly onReadAside: (place: ReadPlace) => void;
  /** Returns the database, whose transactions are counted when the store fails them. */
  readonly watch: (database: Database) => Database;
}

/** True if the store itself has failed: what a use case throws to undo its transaction has a class of its own. */
const isOfStore = ({ engine }: Database, error: unknown): boolean =>
  error instanceof Error &&
  (error.constructor === Error || error instanceof AggregateError || errorCode(error) !== "") &&
  !engine.isDuplicate(error);

/** Measures what is written to the store. */
export const createStoreMetrics = (registry: Registry): StoreMetrics => {
  const commits = new Histogram({
    name: "bauta_commit_seconds",
    help: "Time of a commit that stores mails and results of deliveries, with its sync to the disk.",
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    registers: [registry],
  });
  const countError = createLabelledCounter(registry, {
    name: "bauta_store_errors_total",
    help: "Transactions that the store has failed: no room (full), a disk that fails (failed), anything else (other).",
    label: "kind",
    values: ["full", "failed", "other"],
  });
  return {
    onCommit: (seconds) => commits.observe(seconds),
    onReadAside: createLabelledCounter(registry, {
      name: "bauta_reads_aside_total",
      help: "Reads for which DATABASE_READ_URL names a standby, by where they have run.",
      label: "place",
      values: ["standby", "primary"],
    }),
    watch: (database) => ({
      ...database,
      transaction: async (work) => {
        try {
          return await database.transaction(work);
        } catch (error) {
          if (isOfStore(database, error)) countError(storageProblemOf(error) ?? "other");
          throw error;
        }
      },
    }),
  };
};
