import { interval, type Observable, Subject } from "rxjs";
import { hourMs, minuteMs } from "../../core/kernel/durations.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { Database, Db } from "./database.ts";

/** Something of a user's has changed: what `data_update` tells the page (RT13). */
export interface ChangeEvent {
  readonly userId: string;
  readonly resource: string;
  /** null when more than one thing has changed. */
  readonly resourceId: string | null;
  readonly action: string;
}

/** Records a change in the transaction of its cause, so that it is told if and only if it happened. */
export const appendEvent = async (db: Db, event: ChangeEvent, now: number): Promise<void> => {
  await db
    .insertInto("events")
    .values({
      user_id: event.userId,
      resource: event.resource,
      resource_id: event.resourceId,
      action: event.action,
      created_at: now,
    })
    .execute();
};

/** The changes that any process has committed, for the sockets of this one. */
export interface EventFeed {
  readonly changes$: Observable<ChangeEvent>;
  /** Looks at once: call it after a commit. */
  readonly nudge: () => void;
  /** Looks at once, and resolves when everything that was committed before has been told. */
  readonly caughtUp: () => Promise<void>;
  /** Begins to look twice a second, and hands back how to stop. Tells what is committed from then on. */
  readonly start: () => () => void;
}

/** A logout in another process closes its sockets in this one within a second. */
const pollEachMs = 500;
const pruneEachMs = 10 * minuteMs;
const keptForMs = hourMs;
const atMost = 1_000;
/** PostgreSQL gives out ids before it commits: one that commits this much later than its successors is still told. */
const lateCommitMs = 10_000;

const prune = async (db: Db, before: number): Promise<void> => {
  // The newest row stays, so that SQLite never gives its id out again.
  await db
    .deleteFrom("events")
    .where("created_at", "<", before)
    .where("id", "<", (eb) => eb.selectFrom("events").select(({ fn }) => fn.max("id").as("newest")))
    .execute();
};

/** Reads each event once, in the order of their ids as far as they are there. */
const makeCursor = (database: Database, lateMs: number) => {
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
    /** Takes what is there for told. What may still be committed under an older id is not there yet. */
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
    ): Promise<{ readonly fresh: readonly ChangeEvent[]; readonly more: boolean }> => {
      const rows = await database.db
        .selectFrom("events")
        .where("id", ">", low)
        .orderBy("id")
        .limit(atMost)
        .select(["id", "user_id as userId", "resource", "resource_id as resourceId", "action"])
        .execute();
      const fresh = rows.filter(({ id }) => !seen.has(id));
      for (const { id } of fresh) seen.set(id, now);
      forget(rows.at(-1)?.id ?? low, rows.length === atMost, now);
      return { fresh: fresh.map(({ id: _, ...event }) => event), more: rows.length === atMost };
    },
  };
};

export const makeEventFeed = (database: Database, clock: Clock): EventFeed => {
  const changes = new Subject<ChangeEvent>();
  const cursor = makeCursor(database, database.engine.name === "postgresql" ? lateCommitMs : 0);
  let running = false;
  let placed = false;
  let reading: Promise<void> | null = null;
  let next: Promise<void> | null = null;

  const readAll = async (): Promise<void> => {
    if (!placed) {
      await cursor.skipAll(clock.now());
      placed = true;
    }
    for (let more = true; running && more; ) {
      const read = await cursor.read(clock.now());
      more = read.more;
      if (running) for (const event of read.fresh) changes.next(event);
    }
  };

  /** One look at a time; what is asked for during one is answered by one more after it. */
  const look = (): Promise<void> => {
    if (!running) return Promise.resolve();
    if (reading) {
      next ??= reading.then(() => {
        next = null;
        return look();
      });
      return next;
    }
    reading = readAll()
      // A database that does not answer now is asked again by the next poll; readiness says so elsewhere.
      .catch(() => {})
      .finally(() => {
        reading = null;
      });
    return reading;
  };
  const nudge = (): void => {
    void look();
  };

  return {
    changes$: changes.asObservable(),
    nudge,
    caughtUp: look,
    start: () => {
      running = true;
      placed = false;
      nudge();
      const polling = interval(pollEachMs, clock.scheduler).subscribe(nudge);
      const pruning = interval(pruneEachMs, clock.scheduler).subscribe(() => {
        prune(database.db, clock.now() - keptForMs).catch(() => {});
      });
      return () => {
        running = false;
        polling.unsubscribe();
        pruning.unsubscribe();
      };
    },
  };
};
