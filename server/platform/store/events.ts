import { interval, type Observable, Subject } from "rxjs";
import { hourMs, minuteMs } from "../../../core/kernel/durations.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import type { Database, Db } from "./database.ts";
import type { RowStatement } from "./engine.ts";

/** A change of a user's data, sent to the browser as `data_update` (RT13). */
export interface ChangeEvent {
  readonly userId: string;
  readonly resource: string;
  /** null when several things have changed. */
  readonly resourceId: string | null;
  readonly action: string;
  /** The client that got the change in its answer; null without one. */
  readonly clientId: string | null;
}

/** A change to record; without a client id it is sent to every client. */
export type NewEvent = Omit<ChangeEvent, "clientId"> & Partial<Pick<ChangeEvent, "clientId">>;

/** Records a change in its transaction, so that it is announced if and only if it was committed. */
export const appendEvent = async (db: Db, event: NewEvent, now: number): Promise<void> => {
  await db
    .insertInto("events")
    .values({
      user_id: event.userId,
      resource: event.resource,
      resource_id: event.resourceId,
      action: event.action,
      client_id: event.clientId ?? null,
      created_at: now,
    })
    .execute();
};

const insertEvents: RowStatement = {
  columns: { user_id: "text", resource: "text", resource_id: "text", action: "text", created_at: "bigint" },
  text: (rows) =>
    `insert into events (user_id, resource, resource_id, action, created_at)
     select given.user_id, given.resource, given.resource_id, given.action, given.created_at from ${rows}`,
};

/** Records changes like `appendEvent`, without client ids. */
export const appendEvents = async (
  { engine }: Pick<Database, "engine">,
  db: Db,
  events: readonly NewEvent[],
  now: number,
): Promise<void> => {
  await engine.runRows(
    db,
    insertEvents,
    events.map(({ userId, resource, resourceId, action }) => [userId, resource, resourceId, action, now]),
  );
};

/** The changes committed by any process, for the sockets of this one. */
export interface EventFeed {
  readonly changes$: Observable<ChangeEvent>;
  /** Reads new changes immediately in all processes; call it after a commit. */
  readonly wake: () => void;
  /** Reads new changes immediately and resolves when all earlier commits have been emitted. */
  readonly catchUp: () => Promise<void>;
  /** Starts to listen and to poll twice a second; returns a function that stops it. Emits later commits only. */
  readonly start: () => () => void;
}

/** A logout in another process closes the sockets of this process within a second. */
const pollEachMs = 500;
const pruneEachMs = 10 * minuteMs;
const retentionMs = hourMs;
const pageSize = 1_000;
/** PostgreSQL assigns ids before commits; events that commit this much later than higher ids are still emitted. */
const lateCommitMs = 10_000;

const prune = async (db: Db, before: number): Promise<void> => {
  // The newest row stays, so that SQLite never assigns its id again.
  await db
    .deleteFrom("events")
    .where("created_at", "<", before)
    .where("id", "<", (eb) => eb.selectFrom("events").select(({ fn }) => fn.max("id").as("newest")))
    .execute();
};

/** Reads each event once, in the order of committed ids. */
const createCursor = (database: Database, lateMs: number) => {
  let low = 0;
  const seen = new Map<number, number>();

  const forget = (newest: number, full: boolean, now: number): void => {
    if (lateMs === 0 || full) low = newest;
    for (const [id, at] of seen)
      if (at <= now - lateMs || id <= low) {
        low = Math.max(low, id);
        seen.delete(id);
      }
  };

  return {
    /** Skips existing events, but not those that are committed later with a lower id. */
    skipAll: async (now: number): Promise<void> => {
      const { newest } = await database.db
        .selectFrom("events")
        .where("created_at", "<=", now - lateMs)
        .select(({ fn }) => fn.max("id").as("newest"))
        .executeTakeFirstOrThrow();
      low = newest ?? 0;
      const recent = await database.db.selectFrom("events").where("id", ">", low).select("id").execute();
      for (const { id } of recent) seen.set(id, now);
    },
    read: async (
      now: number,
    ): Promise<{ readonly events: readonly ChangeEvent[]; readonly more: boolean }> => {
      const rows = await database.db
        .selectFrom("events")
        .where("id", ">", low)
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
      const events = rows.filter(({ id }) => !seen.has(id));
      for (const { id } of events) seen.set(id, now);
      forget(rows.at(-1)?.id ?? low, rows.length === pageSize, now);
      return { events: events.map(({ id: _, ...event }) => event), more: rows.length === pageSize };
    },
  };
};

export const createEventFeed = (database: Database, clock: Clock): EventFeed => {
  const changes = new Subject<ChangeEvent>();
  const cursor = createCursor(database, database.engine.name === "postgresql" ? lateCommitMs : 0);
  let isRunning = false;
  let isPositioned = false;
  let reading: Promise<void> | null = null;
  let nextRead: Promise<void> | null = null;

  const readAll = async (): Promise<void> => {
    if (!isPositioned) {
      await cursor.skipAll(clock.now());
      isPositioned = true;
    }
    for (let more = true; isRunning && more; ) {
      const read = await cursor.read(clock.now());
      more = read.more;
      if (isRunning) for (const event of read.events) changes.next(event);
    }
  };

  /** Calls during a read share one more read after it. */
  const readNow = (): Promise<void> => {
    if (!isRunning) return Promise.resolve();
    if (reading) {
      nextRead ??= reading.then(() => {
        nextRead = null;
        return readNow();
      });
      return nextRead;
    }
    reading = readAll()
      // The next poll queries the database again; readiness reports the failure elsewhere.
      .catch(() => {})
      .finally(() => {
        reading = null;
      });
    return reading;
  };
  const { channel } = database.engine;
  const wake = (): void => {
    channel?.announce();
    void readNow();
  };

  return {
    changes$: changes.asObservable(),
    wake,
    catchUp: readNow,
    start: () => {
      isRunning = true;
      isPositioned = false;
      const read = (): void => void readNow();
      read();
      const stopListening = channel?.listen(read);
      const polling = interval(pollEachMs, clock.scheduler).subscribe(read);
      const pruning = interval(pruneEachMs, clock.scheduler).subscribe(() => {
        const work = () => prune(database.db, clock.now() - retentionMs);
        database.engine.alone("events", work).catch(() => {});
      });
      return () => {
        isRunning = false;
        stopListening?.();
        polling.unsubscribe();
        pruning.unsubscribe();
      };
    },
  };
};
