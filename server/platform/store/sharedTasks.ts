import { type RawBuilder, sql } from "kysely";
import { interval } from "rxjs";
import { minuteMs } from "../../../core/kernel/durations.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import type { Database } from "./database.ts";
import { databaseNow } from "./databaseTime.ts";
import { beatIntervalMs, silentMs } from "./signsOfLife.ts";

/** Work that recurs and that one of the processes on a database does for all. */
export interface Task {
  /** The same in all processes and versions. */
  readonly name: string;
  readonly everyMs: number;
  readonly run: () => Promise<unknown>;
}

/** The longest claim of a process, also of an earlier version; one that ends later is from before a clock was set back. */
const longestClaimMs = minuteMs;

interface Claim {
  readonly name: string;
  readonly holder: string;
}

/**
 * Shares tasks among the processes on one PostgreSQL by rows of `tasks`. A claim is one statement that waits for nobody;
 * it is renewed while the work runs and ends by itself `silentMs` after its process has died. Processes come at times of
 * their own, so a task is due again when half of its interval has passed since it was finished. On SQLite, which one
 * process uses, every task runs whenever it is asked for. `now` is the clock of the database, which tests replace.
 */
export class SharedTasks {
  readonly #database: Pick<Database, "db" | "engine">;
  readonly #clock: Pick<Clock, "scheduler">;
  readonly #now: () => RawBuilder<number>;
  /** The tasks that have a row. */
  readonly #listed = new Set<string>();

  constructor(
    database: Pick<Database, "db" | "engine">,
    clock: Pick<Clock, "scheduler">,
    now: () => RawBuilder<number> = () => databaseNow,
  ) {
    this.#database = database;
    this.#clock = clock;
    this.#now = now;
  }

  /** Runs a task, unless a process runs it or has finished it lately. Rejects as its work does. */
  readonly run = (task: Task): Promise<void> => this.runAll([task]);

  /** Runs those tasks that no process runs or has finished lately. Rejects with the first failure, at the end. */
  readonly runAll = async (tasks: readonly Task[]): Promise<void> => {
    const failures = await (this.#database.engine.name === "postgresql"
      ? this.#runDue(tasks)
      : this.#runEach(tasks));
    if (failures.length > 0) throw failures[0];
  };

  async #list(tasks: readonly Task[]): Promise<void> {
    const missing = tasks.filter(({ name }) => !this.#listed.has(name));
    if (missing.length === 0) return;
    await this.#database.db
      .insertInto("tasks")
      .values(missing.map(({ name }) => ({ name })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    for (const { name } of missing) this.#listed.add(name);
  }

  /** Claims the task that is due longest; undefined when none is. A clock that was set back ends no wait. */
  async #claim(tasks: readonly Task[]): Promise<Claim | undefined> {
    if (tasks.length === 0) return undefined;
    const { rows } = await sql<Claim>`
      with due as (
        select tasks.name from tasks
        join unnest(${tasks.map(({ name }) => name)}::text[], ${tasks.map(({ everyMs }) => everyMs)}::bigint[])
          as asked (name, every_ms) on asked.name = tasks.name
        where (tasks.held_until <= ${this.#now()} or tasks.held_until > ${this.#now()} + ${longestClaimMs})
          and (tasks.finished_at <= ${this.#now()} - asked.every_ms / 2 or tasks.finished_at > ${this.#now()})
        order by tasks.finished_at, tasks.name limit 1
        for update of tasks skip locked)
      update tasks set holder = cast(gen_random_uuid() as text), held_until = ${this.#now()} + ${silentMs}
      from due where tasks.name = due.name
      returning tasks.name, tasks.holder`.execute(this.#database.db);
    return rows[0];
  }

  #ofClaim({ name, holder }: Claim) {
    return this.#database.db.updateTable("tasks").where("name", "=", name).where("holder", "=", holder);
  }

  async #whileHeld(held: Claim, work: () => Promise<unknown>): Promise<void> {
    const renewals = interval(beatIntervalMs, this.#clock.scheduler).subscribe(() => {
      // Three more renewals are in time.
      this.#ofClaim(held)
        .set({ held_until: sql<number>`${this.#now()} + ${silentMs}` })
        .execute()
        .catch(() => {});
    });
    try {
      await work();
      await this.#ofClaim(held).set({ holder: null, held_until: 0, finished_at: this.#now() }).execute();
    } catch (error) {
      await this.#ofClaim(held)
        .set({ holder: null, held_until: 0 })
        .execute()
        .catch(() => {});
      throw error;
    } finally {
      renewals.unsubscribe();
    }
  }

  async #runDue(tasks: readonly Task[]): Promise<readonly unknown[]> {
    await this.#list(tasks);
    const failures: unknown[] = [];
    for (let left = tasks; ; ) {
      const held = await this.#claim(left);
      const task = left.find(({ name }) => name === held?.name);
      if (held === undefined || task === undefined) return failures;
      await this.#whileHeld(held, task.run).catch((error: unknown) => failures.push(error));
      left = left.filter((one) => one !== task);
    }
  }

  async #runEach(tasks: readonly Task[]): Promise<readonly unknown[]> {
    const failures: unknown[] = [];
    for (const task of tasks) await task.run().catch((error: unknown) => failures.push(error));
    return failures;
  }
}
