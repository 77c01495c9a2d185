import { minuteMs } from "../../../core/kernel/durations.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import type { Database, Db } from "../store/database.ts";
import type { Engine } from "../store/engine.ts";
import { createIntervalTask, type IntervalTask } from "./interval.ts";
import type { Log } from "./log.ts";

/** Deletes the expired data of one feature. */
export type Prune = (db: Db, now: number, engine: Engine) => Promise<void>;

export interface HousekeepingDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly jobs: readonly Prune[];
}

const everyMs = 10 * minuteMs;

/** Runs the jobs in order, and then removes the deleted content from the database files. */
export const prune = async ({ db, engine }: Database, jobs: readonly Prune[], now: number): Promise<void> => {
  for (const job of jobs) await job(db, now, engine);
  await engine.purgeDeleted();
};

/** Creates the task that deletes expired data at the start and every 10 minutes, in one process at a time. */
export const createHousekeeping = ({ database, clock, log, jobs }: HousekeepingDeps): IntervalTask =>
  createIntervalTask(() => database.engine.alone("housekeeping", () => prune(database, jobs, clock.now())), {
    everyMs,
    failureMessage: "housekeeping failed",
    clock,
    log,
  });
