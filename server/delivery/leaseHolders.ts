import { sql } from "kysely";
import type { Database, Db } from "../store/database.ts";

/** How often a process increments its counter. */
export const beatIntervalMs = 10_000;

/** Beats without a change after which another process's leases end. */
const missedBeats = 4;

/**
 * The delivering processes. A lease lasts as long as its process is listed: each increments the counter in its
 * own row, and the others delete a row that does not change for 40 s. No wall clock is used, so clocks may be
 * set at any time.
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

export const createLeaseHolders = ({ db, engine }: Database, id: string): LeaseHolders => {
  const seen = new Map<string, { readonly beat: number; readonly times: number }>();

  const strikeOff = async (other: string, beat: number): Promise<void> => {
    seen.delete(other);
    await db.deleteFrom("lease_holders").where("id", "=", other).where("beat", "=", beat).execute();
  };

  return {
    enter: async () => {
      if (engine.name === "sqlite") await db.deleteFrom("lease_holders").where("id", "!=", id).execute();
      await list(db, id);
    },
    beat: async () => {
      await list(db, id);
      const others = await db.selectFrom("lease_holders").selectAll().where("id", "!=", id).execute();
      for (const other of others) {
        const last = seen.get(other.id);
        const times = last?.beat === other.beat ? last.times + 1 : 0;
        seen.set(other.id, { beat: other.beat, times });
        if (times >= missedBeats) await strikeOff(other.id, other.beat);
      }
    },
    touch: () => list(db, id),
    leave: async () => {
      await db.deleteFrom("lease_holders").where("id", "=", id).execute();
    },
  };
};
