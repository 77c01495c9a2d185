import { type RawBuilder, sql } from "kysely";
import type { Database, Db } from "../../platform/store/database.ts";
import { databaseNow } from "../../platform/store/databaseTime.ts";
import { beatIntervalMs, silentMs } from "../../platform/store/signsOfLife.ts";

/**
 * The delivering processes. A lease lasts as long as its process is listed: each increments the counter in its own
 * row, and the others delete a row that has not changed for `silentMs`. What they have seen is stored, so that a lease ends
 * however often processes start anew. Time is what the database's clock counts between two signs of life of any
 * process, at most `beatIntervalMs` each: an outage of the database ends no lease, and clocks may be set at any time.
 */
export interface LeaseHolders {
  /** Lists this process. On SQLite, which only one process uses, it removes all others. */
  readonly enter: () => Promise<void>;
  /** Increments this process's counter and removes stopped processes; called every `beatIntervalMs`. */
  readonly beat: () => Promise<void>;
  /** Increments this process's counter only. */
  readonly touch: () => Promise<void>;
  readonly leave: () => Promise<void>;
}

const list = async (db: Db, id: string): Promise<void> => {
  await db
    .insertInto("lease_holders")
    .values({ id, beat: 0 })
    .onConflict((conflict) => conflict.column("id").doUpdateSet({ beat: sql`lease_holders.beat + 1` }))
    .execute();
};

/** Advances the time of the leases; its row lets one process at a time watch the others. */
const tick = async (db: Db, now: RawBuilder<number>): Promise<number> => {
  const passed = sql<number>`least(greatest(excluded.read_at - lease_clock.read_at, 0), ${beatIntervalMs})`;
  const { elapsed } = await db
    .insertInto("lease_clock")
    .values({ id: 1, elapsed: 0, read_at: now })
    .onConflict((conflict) =>
      conflict.column("id").doUpdateSet({
        elapsed: sql`lease_clock.elapsed + ${passed}`,
        read_at: sql`excluded.read_at`,
      }),
    )
    .returning("elapsed")
    .executeTakeFirstOrThrow();
  return elapsed;
};

/** Records who gave a sign of life, and deletes those that have been silent for too long. */
const watch = async (db: Db, elapsed: number): Promise<void> => {
  await db
    .updateTable("lease_holders")
    .set((eb) => ({ seen_beat: eb.ref("beat"), seen_at: elapsed }))
    .whereRef("seen_beat", "!=", "beat")
    .execute();
  await db
    .deleteFrom("lease_holders")
    .whereRef("seen_beat", "=", "beat")
    .where("seen_at", "<=", elapsed - silentMs)
    .execute();
};

/** `now` is the clock of the database, which tests replace. */
export const createLeaseHolders = (database: Database, id: string, now = databaseNow): LeaseHolders => {
  const { db, engine } = database;

  const listAndWatch = (): Promise<void> =>
    database.transaction(async (tx) => {
      const elapsed = await tick(tx, now);
      await list(tx, id);
      await watch(tx, elapsed);
    });

  return {
    enter: async () => {
      if (engine.name === "postgresql") return listAndWatch();
      await db.deleteFrom("lease_holders").where("id", "!=", id).execute();
      await list(db, id);
    },
    beat: () => (engine.name === "postgresql" ? listAndWatch() : list(db, id)),
    touch: () => list(db, id),
    leave: async () => {
      await db.deleteFrom("lease_holders").where("id", "=", id).execute();
    },
  };
};
