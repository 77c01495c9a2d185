import type { Clock } from "../../../core/ports/clock.ts";
import type { Seal } from "../ops/secrets.ts";
import type { Database } from "../store/database.ts";
import type { ChangeEvent } from "../store/events.ts";

/** A row of the table of events: all that a reader needs of the rows up to it was sent. */
interface Position {
  readonly id: number;
  /** The time at which the row was made; it tells a row from another that got the same id after a backup was restored. */
  readonly at: number;
}

const beginning: Position = { id: 0, at: 0 };

/** A change, and the id that a reader has after it. */
export interface ReadEvent {
  readonly event: ChangeEvent;
  readonly eventId: string;
}

const pageSize = 1_000;
/** Whoever has missed more reads everything anew, which is less. */
const maxMissed = 5_000;
/** PostgreSQL assigns ids before commits, and processes may differ in their time. */
const settledAfterMs = 20_000;

export interface UserEventsDeps {
  readonly database: Pick<Database, "db" | "engine">;
  readonly clock: Pick<Clock, "now">;
  readonly seal: Seal;
}

/** Reads the changes of one user from an event id on, each once. Ids are sealed, because they count the changes of all users. */
export class UserEvents {
  readonly #deps: UserEventsDeps;
  readonly #userId: string;
  #position = beginning;
  #eventId = "";
  /** The ids after the position that were read. */
  readonly #seen = new Set<number>();

  constructor(deps: UserEventsDeps, userId: string) {
    this.#deps = deps;
    this.#userId = userId;
  }

  /** The id from which another reader goes on; a new text only when there is more that it need not read. */
  get eventId(): string {
    return this.#eventId;
  }

  #moveTo(position: Position): void {
    this.#position = position;
    this.#eventId = this.#eventIdOf(position);
  }

  /** Skips what has happened. */
  async skipAll(): Promise<void> {
    this.#moveTo((await this.#newestSettled()) ?? beginning);
    this.#seen.clear();
    for await (const { id } of this.#rows()) this.#seen.add(id);
  }

  /** Goes on from an event id; null when that is none of this user's, or not all changes after it are kept or few enough. */
  async resume(eventId: string): Promise<readonly ReadEvent[] | null> {
    const position = this.#positionOf(eventId);
    if (position === null) return null;
    this.#moveTo(position);
    this.#seen.clear();
    const missed = await this.read();
    // The row is looked for after the reading, so that nothing was deleted in between.
    return missed !== null && (await this.#isKept(position)) ? missed : null;
  }

  /** Returns the changes since the last reading; null when they are too many. */
  async read(): Promise<readonly ReadEvent[] | null> {
    const settled = await this.#newestSettled();
    const isInOrder = this.#deps.database.engine.name === "sqlite";
    const before = this.eventId;
    const found: ReadEvent[] = [];
    for await (const { id, at, ...event } of this.#rows()) {
      if (this.#seen.has(id)) continue;
      this.#seen.add(id);
      found.push({ event, eventId: isInOrder ? this.#eventIdOf({ id, at }) : before });
      if (found.length > maxMissed) return null;
    }
    if (settled && settled.id > this.#position.id) this.#moveTo(settled);
    for (const id of this.#seen) if (id <= this.#position.id) this.#seen.delete(id);
    return found;
  }

  #eventIdOf({ id, at }: Position): string {
    return this.#deps.seal.seal(`${id} ${at}`, this.#sealContext());
  }

  #positionOf(eventId: string): Position | null {
    try {
      const [id, at] = this.#deps.seal.open(eventId, this.#sealContext()).split(" ").map(Number);
      return id === undefined || at === undefined ? null : { id, at };
    } catch {
      return null;
    }
  }

  #sealContext(): string {
    return `event ${this.#userId}`;
  }

  /** Returns the newest row before which no row appears any more. */
  async #newestSettled(): Promise<Position | undefined> {
    const { db, engine } = this.#deps.database;
    const row = await db
      .selectFrom("events")
      .select(["id", "created_at as at"])
      .$if(engine.name === "postgresql", (query) =>
        query.where("created_at", "<=", this.#deps.clock.now() - settledAfterMs),
      )
      .orderBy("id", "desc")
      .limit(1)
      .executeTakeFirst();
    return row && { id: Number(row.id), at: Number(row.at) };
  }

  /** True if all rows after a position are still there: they are as long as its own is. */
  async #isKept({ id, at }: Position): Promise<boolean> {
    const { db } = this.#deps.database;
    if (id === 0) {
      const oldest = await db.selectFrom("events").select("id").orderBy("id").limit(1).executeTakeFirst();
      return oldest === undefined || Number(oldest.id) <= 1;
    }
    const row = await db.selectFrom("events").select("created_at").where("id", "=", id).executeTakeFirst();
    return row !== undefined && Number(row.created_at) === at;
  }

  /** The user's rows after the position. */
  async *#rows() {
    for (let after: number | null = this.#position.id; after !== null; ) {
      const rows = await this.#page(after);
      yield* rows;
      after = rows.length === pageSize ? (rows.at(-1)?.id ?? null) : null;
    }
  }

  async #page(after: number) {
    const rows = await this.#deps.database.db
      .selectFrom("events")
      .where("user_id", "=", this.#userId)
      .where("id", ">", after)
      .orderBy("id")
      .limit(pageSize)
      .select([
        "id",
        "created_at as at",
        "user_id as userId",
        "resource",
        "resource_id as resourceId",
        "action",
        "client_id as clientId",
      ])
      .execute();
    return rows.map((row) => ({ ...row, id: Number(row.id), at: Number(row.at) }));
  }
}
