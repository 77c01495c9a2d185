import { Kysely, sql } from "kysely";
import { withAfterCommit } from "./afterCommit.ts";
import { collectChangedUsers } from "./changedUsers.ts";
import type { Engine } from "./engine.ts";
import { assertReadable, migrateToLatest, readSchema } from "./schema.ts";
import type { ReadAside } from "./standbyReads.ts";
import type { Tables } from "./tables.ts";

/** A handle on the tables: the database itself or a transaction. */
export type Db = Kysely<Tables>;

/** A change of a request, prepared outside of its transaction. On PostgreSQL it may run again: it changes nothing but rows. */
export type Write<Answer> = (tx: Db) => Promise<Answer>;

export interface Database {
  readonly db: Db;
  readonly engine: Engine;
  /**
   * Runs `work` in one transaction: durable when this resolves, not stored when it rejects. On PostgreSQL `work` runs
   * again when it conflicts with another transaction, so it changes nothing but rows.
   */
  readonly transaction: <A>(work: (db: Db) => Promise<A>) => Promise<A>;
  /** Runs work that only reads, on a standby where there is one that is fresh enough. */
  readonly readAside: ReadAside;
  readonly close: () => Promise<void>;
}

/**
 * Runs work whose failure is undone and ends nothing else of the transaction; a failure of the store itself does.
 * NOTE: to catch the error is not enough: PostgreSQL refuses all further statements of a transaction in which one has failed,
 * unless it goes back to a savepoint.
 */
export const tryInSavepoint = async (db: Db, work: () => Promise<void>): Promise<void> => {
  await sql`savepoint lenient`.execute(db);
  try {
    await work();
  } catch {
    await sql`rollback to savepoint lenient`.execute(db);
  }
  await sql`release savepoint lenient`.execute(db);
};

/** The further work that opening may do beside reading. */
export interface OpenOptions {
  /** Runs before the tables of an earlier version are migrated; they stay unchanged when it rejects. */
  readonly beforeMigrating?: (database: Database, missing: readonly string[]) => Promise<void>;
  /** Rejects instead of migrating an earlier version's tables, because that version may be running. */
  readonly keepVersion?: boolean;
}

/** Migrates over the server itself where a pooler stands in front, which may end what takes long. */
const migrate = async (db: Db, engine: Engine): Promise<void> => {
  const dialect = engine.directDialect();
  if (dialect === null) return migrateToLatest(db, engine);
  const direct = new Kysely<Tables>({ dialect });
  try {
    await migrateToLatest(direct, engine);
  } finally {
    await direct.destroy();
  }
  return undefined;
};

/**
 * Opens the database, applies missing migrations and checks that a commit survives a power cut. Rejects with a message
 * for the operator when the settings do not guarantee that, or when this version cannot read what another has written.
 */
export const openDatabase = async (engine: Engine, options: OpenOptions = {}): Promise<Database> => {
  const db = new Kysely<Tables>({ dialect: engine.dialect });
  const standby = engine.createStandbyReads(db);
  const database: Database = {
    db,
    engine,
    transaction: withAfterCommit(engine.createTransactions(db)),
    readAside: standby.read,
    close: async () => {
      await standby.close();
      await db.destroy();
    },
  };
  if (engine.channel) collectChangedUsers(db, engine.channel.changed);
  try {
    const problem = (await engine.findDurabilityProblem()) ?? (await engine.findAddressProblem());
    if (problem) throw new Error(problem);
    const schema = await readSchema(db, engine);
    assertReadable(schema);
    const { applied, missing } = schema;
    if (missing.length > 0 && applied.length > 0) {
      if (options.keepVersion)
        throw new Error("the database is of an earlier version: start the server once, which updates it");
      await options.beforeMigrating?.(database, missing);
    }
    if (missing.length > 0) await migrate(db, engine);
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
};

/** Returns whether the database answers a query. */
export const isDatabaseReady = (database: Database): Promise<boolean> =>
  database.db
    .selectFrom("users")
    .select("id")
    .limit(1)
    .execute()
    .then(
      () => true,
      () => false,
    );
