import { hourMs } from "../../../core/kernel/durations.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import type { ObjectStore } from "../../platform/objects/objectStore.ts";
import type { Database, Db } from "../../platform/store/database.ts";
import type { RowStatement } from "../../platform/store/engine.ts";
import { findBodyFiles } from "./queueBodies.ts";

/** How often the objects are listed. */
const sweepEachMs = hourMs;
/** Younger objects may be of mail that is being stored. */
const sweptAfterMs = hourMs;
const removedTogether = 8;

const claimParts: RowStatement = {
  columns: { id: "text" },
  text: (rows) =>
    `insert into bodies (id, part) select given.id, 0 from ${rows} order by given.id on conflict do nothing returning id`,
};

class Undo extends Error {}

export interface ObjectSweepDeps {
  readonly objects: Pick<ObjectStore, "list" | "remove">;
  readonly database: Pick<Database, "db" | "engine" | "transaction">;
  readonly clock: Pick<Clock, "now">;
}

/**
 * Removes those of the objects that no row refers to, and no transaction under way will: their ids are claimed by rows
 * that are never committed, for which such a transaction has to be waited.
 */
const removeOrphans = async (
  { objects, database }: ObjectSweepDeps,
  names: readonly string[],
): Promise<void> => {
  const undo = new Undo();
  const work = async (db: Db): Promise<never> => {
    const claimed = await database.engine.runRows<{ id: string }>(
      db,
      claimParts,
      names.map((name) => [name]),
    );
    const orphans = claimed.map(({ id }) => id);
    for (let from = 0; from < orphans.length; from += removedTogether)
      await Promise.all(orphans.slice(from, from + removedTogether).map((name) => objects.remove(name)));
    throw undo;
  };
  await database.transaction(work).catch((error: unknown) => {
    if (error !== undo) throw error;
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
      if (orphans.length > 0) await removeOrphans(deps, orphans);
      after = page.next;
    }
  };
};
