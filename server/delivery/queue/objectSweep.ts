import { sql } from "kysely";
import { hourMs } from "../../../core/kernel/durations.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import { errorCode } from "../../platform/errors/errorCode.ts";
import type { ObjectStore } from "../../platform/objects/objectStore.ts";
import type { Database, Db } from "../../platform/store/database.ts";
import type { RowStatement } from "../../platform/store/engine.ts";
import { findBodyFiles } from "./queueBodies.ts";

/** The interval at which the objects are listed. */
const sweepEachMs = hourMs;
/** Younger objects may be of mail that is being stored. */
const sweptAfterMs = hourMs;
const removedTogether = 8;
/** Objects that are claimed in one transaction. */
const claimedTogether = 100;
/** The time for which the sweep waits for a transaction that stores the row of an object; the next sweep comes back to it. */
const claimWithin = "5s";
const lockTimeout = "55P03";

const claimParts: RowStatement = {
  columns: { id: "text" },
  text: (rows) =>
    `insert into bodies (id, part) select given.id, 0 from ${rows} order by given.id on conflict do nothing returning id`,
};

/** Ends a transaction that is to leave nothing. */
class Undo extends Error {}

const isLeft = (error: unknown): boolean => error instanceof Undo || errorCode(error) === lockTimeout;

export interface ObjectSweepDeps {
  readonly objects: Pick<ObjectStore, "list" | "remove">;
  readonly database: Pick<Database, "db" | "engine" | "transaction">;
  readonly clock: Pick<Clock, "now">;
}

/**
 * Removes those of the objects that no row refers to, and that no transaction under way will: to claim their ids by rows
 * that are never committed, it has to wait for such a transaction.
 */
const removeOrphans = async (
  { objects, database }: ObjectSweepDeps,
  names: readonly string[],
): Promise<void> => {
  const work = async (db: Db): Promise<never> => {
    await sql`set local lock_timeout = ${sql.lit(claimWithin)}`.execute(db);
    const claimed = await database.engine.runRows<{ id: string }>(
      db,
      claimParts,
      names.map((name) => [name]),
    );
    const orphans = claimed.map(({ id }) => id);
    for (let from = 0; from < orphans.length; from += removedTogether)
      await Promise.all(orphans.slice(from, from + removedTogether).map((name) => objects.remove(name)));
    throw new Undo();
  };
  await database.transaction(work).catch((error: unknown) => {
    if (!isLeft(error)) throw error;
  });
};

/**
 * Creates the function that removes the objects without a row, an hour at the earliest after they were written; it
 * lists them once an hour, however often it is called. Several processes may do so at the same time.
 */
export const createObjectSweep = (deps: ObjectSweepDeps): (() => Promise<void>) => {
  const { objects, database, clock } = deps;
  let next = Number.NEGATIVE_INFINITY;
  return async () => {
    if (clock.now() < next) return;
    next = clock.now() + sweepEachMs;
    for (let after: string | null = null, isFirst = true; isFirst || after !== null; isFirst = false) {
      const page = await objects.list(after);
      const old = page.objects.flatMap(({ name, ageMs }) => (ageMs > sweptAfterMs ? [name] : []));
      const named = old.length === 0 ? new Set<string>() : await findBodyFiles(database.db, old);
      const orphans = old.filter((name) => !named.has(name));
      for (let from = 0; from < orphans.length; from += claimedTogether)
        await removeOrphans(deps, orphans.slice(from, from + claimedTogether));
      after = page.next;
    }
  };
};
