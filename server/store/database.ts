import { Kysely } from "kysely";
import { Migrator } from "kysely/migration";
import type { Engine } from "./dialect.ts";
import { start } from "./migrations/2026_11_20_start.ts";
import type { Tables } from "./tables.ts";

/** A handle on the tables: the database itself, or one transaction in it. */
export type Db = Kysely<Tables>;

export interface Database {
  readonly db: Db;
  readonly engine: Engine;
  /** Runs `work` in one transaction: all of it is on the disk when this resolves, or none of it happened. */
  readonly transaction: <A>(work: (db: Db) => Promise<A>) => Promise<A>;
  readonly close: () => Promise<void>;
}

/**
 * Opens the database, brings its tables up to date and makes sure that an answered commit survives a power cut.
 * Rejects with a sentence for the operator when it cannot promise that.
 */
export const openDatabase = async (engine: Engine): Promise<Database> => {
  const db = new Kysely<Tables>({ dialect: engine.dialect });
  const weakness = await engine.weakness();
  if (weakness) throw new Error(weakness);
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => ({ "2026_11_20_start": start(engine) }) },
  });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
  return {
    db,
    engine,
    transaction: (work) => db.transaction().execute(work),
    close: () => db.destroy(),
  };
};
