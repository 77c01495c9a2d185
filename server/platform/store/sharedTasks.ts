import { type RawBuilder, sql } from "kysely";
import { interval } from "rxjs";
import { minuteMs } from "../../../core/kernel/durations.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import type { Database } from "./database.ts";
import { databaseNow } from "./databaseTime.ts";

/** Work that recurs and that one of the processes on a database does for all. */
export interface Task {
  /** The same in all processes and versions. */
  readonly name: string;
  readonly everyMs: number;
  readonly run: () => Promise<unknown>;
}

/**
 * Shares tasks among the processes on one PostgreSQL by rows of `tasks`. A claim is one statement that waits for nobody;
 * it is renewed while the work runs and ends by itself a minute after its process has died. Processes come at times of
 * their own, so a task is due again when half of its interval has passed since it was finished. On SQLite, which one
 * process uses, every task runs whenever it is asked for.
 */
export interface SharedTasks {
  /** Runs a task, unless a process runs it or has finished it lately. Rejects as its work does. */
  readonly run: (task: Task) => Promise<void>;
  /** Runs those tasks that no process runs or has finished lately. Rejects with the first failure, at the end. */
  readonly runAll: (tasks: readonly Task[]) => Promise<void>;
}

/**
 * How long a process keeps what it has claimed for a time: a task until it is renewed, a message to a webhook for an
 * attempt, which takes less.
 */
export const claimMs = minuteMs;
const renewEachMs = 20_000;

interface Claim {
  readonly name: string;
  readonly holder: string;
}

/** `now` is the clock of the database, which tests replace. */
export const createSharedTasks = (
  { db, engine }: Pick<Database, "db" | "engine">,
  { scheduler }: Pick<Clock, "scheduler">,
  now: () => RawBuilder<number> = () => databaseNow,
): SharedTasks => {
  /** The tasks that have a row. */
  const listed = new Set<string>();

  const list = async (tasks: readonly Task[]): Promise<void> => {
    const missing = tasks.filter(({ name }) => !listed.has(name));
    if (missing.length === 0) return;
    await db
      .insertInto("tasks")
      .values(missing.map(({ name }) => ({ name })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    for (const { name } of missing) listed.add(name);
  };

  /** Claims the task that is due longest; undefined when none is. A clock that was set back ends no wait. */
  const claim = async (tasks: readonly Task[]): Promise<Claim | undefined> => {
    if (tasks.length === 0) return undefined;
    const { rows } = await sql<Claim>`
      with due as (
        select tasks.name from tasks
        join unnest(${tasks.map(({ name }) => name)}::text[], ${tasks.map(({ everyMs }) => everyMs)}::bigint[])
          as asked (name, every_ms) on asked.name = tasks.name
        where (tasks.held_until <= ${now()} or tasks.held_until > ${now()} + ${claimMs})
          and (tasks.finished_at <= ${now()} - asked.every_ms / 2 or tasks.finished_at > ${now()})
        order by tasks.finished_at, tasks.name limit 1
        for update of tasks skip locked)
      update tasks set holder = cast(gen_random_uuid() as text), held_until = ${now()} + ${claimMs}
      from due where tasks.name = due.name
      returning tasks.name, tasks.holder`.execute(db);
    return rows[0];
  };

  const ofClaim = ({ name, holder }: Claim) =>
    db.updateTable("tasks").where("name", "=", name).where("holder", "=", holder);

  const whileHeld = async (held: Claim, work: () => Promise<unknown>): Promise<void> => {
    const renewals = interval(renewEachMs, scheduler).subscribe(() => {
      // The next renewal is in time too.
      ofClaim(held)
        .set({ held_until: sql<number>`${now()} + ${claimMs}` })
        .execute()
        .catch(() => {});
    });
    try {
      await work();
      await ofClaim(held).set({ holder: null, held_until: 0, finished_at: now() }).execute();
    } catch (error) {
      await ofClaim(held)
        .set({ holder: null, held_until: 0 })
        .execute()
        .catch(() => {});
      throw error;
    } finally {
      renewals.unsubscribe();
    }
  };

  const runDue = async (tasks: readonly Task[]): Promise<readonly unknown[]> => {
    await list(tasks);
    const failures: unknown[] = [];
    for (let left = tasks; ; ) {
      const held = await claim(left);
      const task = left.find(({ name }) => name === held?.name);
      if (held === undefined || task === undefined) return failures;
      await whileHeld(held, task.run).catch((error: unknown) => failures.push(error));
      left = left.filter((one) => one !== task);
    }
  };

  const runEach = async (tasks: readonly Task[]): Promise<readonly unknown[]> => {
    const failures: unknown[] = [];
    for (const task of tasks) await task.run().catch((error: unknown) => failures.push(error));
    return failures;
  };

  const runAll = async (tasks: readonly Task[]): Promise<void> => {
    const failures = await (engine.name === "postgresql" ? runDue(tasks) : runEach(tasks));
    if (failures.length > 0) throw failures[0];
  };
  return { run: (task) => runAll([task]), runAll };
};
