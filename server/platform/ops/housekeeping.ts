import { minuteMs } from "../../../core/kernel/durations.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import type { Database, Db } from "../store/database.ts";
import type { Engine } from "../store/engine.ts";
import { SharedTasks } from "../store/sharedTasks.ts";
import { createIntervalTask, type IntervalTask } from "./interval.ts";
import type { Log } from "./log.ts";

/** Deletes the expired data of one feature. */
export type Prune = (db: Db, now: number, engine: Engine) => Promise<void>;

export interface HousekeepingDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly jobs: readonly PruneJob[];
}

/** A `Prune` by the name that it has in all processes. */
export interface PruneJob {
  readonly name: string;
  readonly run: Prune;
}

const everyMs = 10 * minuteMs;

/**
 * Creates the task that deletes expired data at the start and every 10 minutes. Each job is a task of its own, so that
 * several processes share them, and one that fails does not keep the others from running.
 */
export const createHousekeeping = ({ database, clock, log, jobs }: HousekeepingDeps): IntervalTask => {
  const { db, engine } = database;
  const shared = new SharedTasks(database, clock);
  const tasks = jobs.map(({ name, run }) => ({ name, everyMs, run: () => run(db, clock.now(), engine) }));
  const keepHouse = async (): Promise<void> => {
    try {
      await shared.runAll(tasks);
    } finally {
      await engine.purgeDeleted();
    }
  };
  return createIntervalTask(keepHouse, { everyMs, failureMessage: "housekeeping failed", clock, log });
};
