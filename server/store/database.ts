import { Kysely, sql } from "kysely";
import { Migrator } from "kysely/migration";
import type { Engine } from "./engine.ts";
import { start } from "./migrations/2026_11_20_start.ts";
import {
  encryptionKeys,
  idempotentAnswers,
  insights,
  notifications,
  ruleEffects,
  ruleVersions,
  sessionRotation,
  twoFactor,
} from "./migrations/2026_11_21.ts";
import { addressChange, billing } from "./migrations/2026_11_22.ts";
import { eventClients, publishedKeys } from "./migrations/2026_11_23.ts";
import { operators } from "./migrations/2026_11_24.ts";
import { deletedMasks } from "./migrations/2026_11_25.ts";
import { acceptUnproven, dkimKeys } from "./migrations/2026_11_28.ts";
import type { Tables } from "./tables.ts";

/** A handle on the tables: the database itself or a transaction. */
export type Db = Kysely<Tables>;

export interface Database {
  readonly db: Db;
  readonly engine: Engine;
  /**
   * Runs `work` in one transaction: everything is on the disk when this resolves, and nothing is stored when it
   * rejects.
   */
  readonly transaction: <A>(work: (db: Db) => Promise<A>) => Promise<A>;
  readonly close: () => Promise<void>;
}

/** Applies the missing migrations. */
const migrate = async (db: Db, engine: Engine): Promise<void> => {
  const migrations = {
    "2026_11_20_start": start(engine),
    "2026_11_21_answers": idempotentAnswers(),
    "2026_11_21_keys": encryptionKeys(),
    "2026_11_21_notifications": notifications(engine),
    "2026_11_21_relay": ruleEffects(engine),
    "2026_11_21_rotation": sessionRotation(),
    "2026_11_21_twoFactor": twoFactor(),
    "2026_11_21_rules": ruleVersions(),
    "2026_11_22_billing": billing(),
    "2026_11_23_publishedKeys": publishedKeys(),
    "2026_11_21_insights": insights(engine),
    "2026_11_22_addressChange": addressChange(),
    "2026_11_23_eventClients": eventClients(),
    "2026_11_24_operators": operators(),
    "2026_11_25_deletedMasks": deletedMasks(),
    "2026_11_28_acceptUnproven": acceptUnproven(),
    "2026_11_28_dkimKeys": dkimKeys(),
  };
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => migrations },
    // Several migrations of one day have no order by name.
    allowUnorderedMigrations: true,
  });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
};

/** Runs all migrations in one transaction, which Kysely does by itself only on PostgreSQL. */
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
 * Opens the database, applies the missing migrations and checks that a committed transaction survives a power cut.
 * Rejects with a message for the operator when the settings do not guarantee that.
 */
export const openDatabase = async (engine: Engine): Promise<Database> => {
  const db = new Kysely<Tables>({ dialect: engine.dialect });
  const problem = await engine.findDurabilityProblem();
  if (problem) throw new Error(problem);
  await (engine.name === "sqlite" ? migrateSqlite(db, engine) : migrate(db, engine));
  return {
    db,
    engine,
    transaction: (work) => db.transaction().execute(work),
    close: () => db.destroy(),
  };
};
