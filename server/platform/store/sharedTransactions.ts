import { CompiledQuery, type Kysely } from "kysely";
import type { RunInTransaction } from "./engine.ts";
import type { Tables } from "./tables.ts";

type Db = Kysely<Tables>;

interface Waiting {
  readonly work: (db: Db) => Promise<unknown>;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** The most pieces of work in one transaction, so that the first does not wait long for the last. */
const maxWork = 64;

const afterPendingInput = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const savepoint = CompiledQuery.raw("savepoint work");
const release = CompiledQuery.raw("release work");
const rollBack = CompiledQuery.raw("rollback to work");

/** Runs a piece of work so that its failure undoes nothing but its own changes. */
const runOne = async (db: Db, { work, resolve, reject }: Waiting): Promise<() => void> => {
  await db.executeQuery(savepoint);
  try {
    const result = await work(db);
    await db.executeQuery(release);
    return () => resolve(result);
  } catch (error) {
    try {
      await db.executeQuery(rollBack);
      await db.executeQuery(release);
    } catch {
      // The error has ended the whole transaction, as on a full disk: all of its work fails for that reason.
      throw error;
    }
    return () => reject(error);
  }
};

/**
 * Returns a function that runs work in a transaction and shares the commit, which waits for the disk, with the work
 * of other callers. Work runs one after the other in the order of the calls and sees the changes of earlier work.
 * A failed commit rejects all of its work.
 */
export const createSharedTransactions = (db: Db): RunInTransaction => {
  const waiting: Waiting[] = [];
  let isRunning = false;

  const runTogether = async (group: readonly Waiting[]): Promise<void> => {
    try {
      const settle = await db.transaction().execute(async (tx) => {
        const settled: (() => void)[] = [];
        for (const one of group) settled.push(await runOne(tx, one));
        return settled;
      });
      for (const tell of settle) tell();
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  };

  const runAll = async (): Promise<void> => {
    while (waiting.length > 0) {
      await afterPendingInput();
      await runTogether(waiting.splice(0, maxWork));
    }
    isRunning = false;
  };

  return <A>(work: (db: Db) => Promise<A>) =>
    new Promise<A>((resolve, reject) => {
      waiting.push({ work, resolve: resolve as (result: unknown) => void, reject });
      if (isRunning) return;
      isRunning = true;
      void runAll();
    });
};
