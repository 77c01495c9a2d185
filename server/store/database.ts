import { Kysely, sql } from "kysely";
import { Migrator } from "kysely/migration";
import type { Engine } from "./dialect.ts";
import { start } from "./migrations/2026_11_20_start.ts";
import { answers } from "./migrations/2026_11_21_answers.ts";
import { insights } from "./migrations/2026_11_21_insights.ts";
import { keys } from "./migrations/2026_11_21_keys.ts";
import { notifications } from "./migrations/2026_11_21_notifications.ts";
import { relay } from "./migrations/2026_11_21_relay.ts";
import { rotation } from "./migrations/2026_11_21_rotation.ts";
import { rules } from "./migrations/2026_11_21_rules.ts";
import { twoFactor } from "./migrations/2026_11_21_twoFactor.ts";
import { addressChange } from "./migrations/2026_11_22_addressChange.ts";
import { billing } from "./migrations/2026_11_22_billing.ts";
import { publishedKeys } from "./migrations/2026_11_23_publishedKeys.ts";
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

/** Brings the tables up to date. */
const migrate = async (db: Db, engine: Engine): Promise<void> => {
  const migrations = {
    "2026_11_20_start": start(engine),
    "2026_11_21_answers": answers(),
    "2026_11_21_keys": keys(),
    "2026_11_21_notifications": notifications(engine),
    "2026_11_21_relay": relay(engine),
    "2026_11_21_rotation": rotation(),
    "2026_11_21_twoFactor": twoFactor(),
    "2026_11_21_rules": rules(),
    "2026_11_22_billing": billing(),
    "2026_11_23_publishedKeys": publishedKeys(),
    "2026_11_21_insights": insights(engine),
    "2026_11_22_addressChange": addressChange(),
  };
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => migrations },
    // Those of one day come in no order that their names would show.
    allowUnorderedMigrations: true,
  });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
};

/** All of them or none: the query layer runs migrations in a transaction on PostgreSQL alone. */
const migrateSqlite = (db: Db, engine: Engine): Promise<void> =>
  db.connection().execute(async (connection) => {
    await sql`begin immediate`.execute(connection);
    try {
      await migrate(connection, engine);
      await sql`commit`.execute(connection);
    } catch (error) {
      await sql`rollback`.execute(connection);
      throw error;
    }
  });

/**
 * Opens the database, brings its tables up to date and makes sure that an answered commit survives a power cut.
 * Rejects with a sentence for the operator when it cannot promise that.
 */
export const openDatabase = async (engine: Engine): Promise<Database> => {
  const db = new Kysely<Tables>({ dialect: engine.dialect });
  const weakness = await engine.weakness();
  if (weakness) throw new Error(weakness);
  await (engine.name === "sqlite" ? migrateSqlite(db, engine) : migrate(db, engine));
  return {
    db,
    engine,
    transaction: (work) => db.transaction().execute(work),
    close: () => db.destroy(),
  };
};
