import { sql } from "kysely";
import type { Database } from "./database.ts";
import type { ChangeEvent } from "./events.ts";

const pageSize = 1_000;
/** PostgreSQL assigns ids before commits; events that commit this much later than higher ids are still read. */
const lateCommitMs = 10_000;

/** Reads each event of the users that it is asked for once, in the order of committed ids. */
export class EventCursor {
  readonly #database: Pick<Database, "db" | "engine">;
  readonly #lateMs: number;
  /** Events up to this id were read, or are too old to be. */
  #low = 0;
  /** The ids after `#low` that were read. */
  readonly #seen = new Set<number>();
  /** The newest id at earlier complete readings; what is older than `#lateMs` moves `#low`. */
  readonly #marks: { readonly at: number; readonly newest: number }[] = [];

  constructor(database: Pick<Database, "db" | "engine">) {
    this.#database = database;
    this.#lateMs = database.engine.name === "postgresql" ? lateCommitMs : 0;
  }

  /** Skips existing events, but not those that are committed later with a lower id. */
  async skipAll(now: number): Promise<void> {
    const { newest } = await this.#database.db
      .selectFrom("events")
      .where("created_at", "<=", now - this.#lateMs)
      .select(({ fn }) => fn.max("id").as("newest"))
      .executeTakeFirstOrThrow();
    this.#low = newest ?? 0;
    this.#seen.clear();
    this.#marks.length = 0;
    const recent = await this.#database.db
      .selectFrom("events")
      .where("id", ">", this.#low)
      .select("id")
      .execute();
    for (const { id } of recent) this.#seen.add(id);
  }

  /** Calls `onEvent` with each new event of the users; they are all that this process needs. */
  async readAll(
    now: number,
    users: ReadonlySet<string>,
    onEvent: (event: ChangeEvent) => void,
  ): Promise<void> {
    const newest = await this.#newest();
    if (newest > this.#low) await this.readOf(users, onEvent);
    this.#marks.push({ at: now, newest });
    while (this.#marks[0] && this.#marks[0].at <= now - this.#lateMs)
      this.#low = Math.max(this.#low, this.#marks.shift()?.newest ?? 0);
    for (const id of this.#seen) if (id <= this.#low) this.#seen.delete(id);
  }

  /** Calls `onEvent` with each new event of some users. */
  async readOf(users: ReadonlySet<string>, onEvent: (event: ChangeEvent) => void): Promise<void> {
    for (let after: number | null = this.#low; after !== null; ) {
      const rows = await this.#page(after, users);
      for (const { id, ...event } of rows)
        if (users.has(event.userId) && !this.#seen.has(id)) {
          this.#seen.add(id);
          onEvent(event);
        }
      after = rows.length === pageSize ? (rows.at(-1)?.id ?? null) : null;
    }
  }

  async #newest(): Promise<number> {
    const { newest } = await this.#database.db
      .selectFrom("events")
      .select(({ fn }) => fn.max("id").as("newest"))
      .executeTakeFirstOrThrow();
    return newest ?? 0;
  }

  /** SQLite has one process, which wrote nearly all of the events itself: finding the users there is no gain. */
  #page(after: number, users: ReadonlySet<string>) {
    const { db, engine } = this.#database;
    return db
      .selectFrom("events")
      .where("id", ">", after)
      .$if(engine.name === "postgresql", (query) =>
        query.where(sql<boolean>`user_id = any(${[...users]}::text[])`),
      )
      .orderBy("id")
      .limit(pageSize)
      .select([
        "id",
        "user_id as userId",
        "resource",
        "resource_id as resourceId",
        "action",
        "client_id as clientId",
      ])
      .execute();
  }
}
