import { type Kysely, sql } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import { completeEarlier } from "./earlierSchemas/completeEarlier.ts";
import { earlierSteps } from "./earlierSchemas/earlierSteps.ts";
import type { Engine } from "./engine.ts";
import { allMigrations, initialName } from "./migrations/migrations.ts";
import { ownTables } from "./ownTables.ts";
import type { Tables } from "./tables.ts";

type Migrations = Readonly<Record<string, Migration>>;

/** The applied migrations of a database, and the missing ones of this version. */
export interface SchemaState {
  readonly applied: readonly string[];
  readonly missing: readonly string[];
  /** Applied migrations that this version does not know. */
  readonly unknown: readonly string[];
}

/** The names of a database's migrations, in the order in which they were applied. */
export const readApplied = async (db: Kysely<Tables>): Promise<readonly string[]> => {
  const tables = await ownTables(db, { withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === "kysely_migration")) return [];
  const { rows } = await sql<{
    name: string;
  }>`select name from kysely_migration order by timestamp, name`.execute(db);
  return rows.map(({ name }) => name);
};

/** All migrations of a database with these: where an earlier schema has left some, the first one completes it. */
const migrationsAfter = (engine: Engine, applied: readonly string[]): Migrations => {
  const earlier = Object.entries(earlierSteps(engine)).filter(([name]) => applied.includes(name));
  if (earlier.length === 0) return allMigrations(engine);
  return {
    ...Object.fromEntries(earlier),
    ...allMigrations(engine),
    [initialName]: completeEarlier(engine, applied),
  };
};

/** Compares applied migrations with those of this version; a new database has none. */
export const compareSchema = (engine: Engine, applied: readonly string[]): SchemaState => {
  const migrations = migrationsAfter(engine, applied);
  return {
    applied,
    missing: Object.keys(migrations).filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !Object.hasOwn(migrations, name)),
  };
};

/** Compares a database with the migrations of this version. */
export const readSchema = async (db: Kysely<Tables>, engine: Engine): Promise<SchemaState> =>
  compareSchema(engine, await readApplied(db));

/** Throws when a newer version has changed the database, which this one could only damage. */
export const assertNotNewer = ({ unknown }: SchemaState): void => {
  if (unknown.length > 0)
    throw new Error(
      `a newer version of Bauta has changed the database (${unknown.at(-1)}): start that version, or restore a backup of this one`,
    );
};

/** Runs what is missing of the migrations, which are read while no other process changes the database. */
const migrate = async (db: Kysely<Tables>, getMigrations: () => Promise<Migrations>): Promise<void> => {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => ({ ...(await getMigrations()) }) },
    // The initial migration comes after the earlier steps that it replaces, and before them by name.
    allowUnorderedMigrations: true,
  });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
};

/** Applies missing migrations, all or none; parallel processes wait for each other. */
const migrateInTransaction = async (
  db: Kysely<Tables>,
  engine: Engine,
  getMigrations: (db: Kysely<Tables>) => Promise<Migrations>,
): Promise<void> => {
  if (engine.name === "postgresql") return migrate(db, () => getMigrations(db));
  // Kysely runs them in one transaction on PostgreSQL only.
  await db.connection().execute(async (connection) => {
    await sql`begin immediate`.execute(connection);
    try {
      const migrations = await getMigrations(connection);
      await migrate(connection, async () => migrations);
      await sql`commit`.execute(connection);
    } catch (error) {
      await sql`rollback`.execute(connection);
      throw error;
    }
  });
};

/** Gives a database the schema of this version. */
export const migrateToLatest = (db: Kysely<Tables>, engine: Engine): Promise<void> =>
  migrateInTransaction(db, engine, async (within) => migrationsAfter(engine, await readApplied(within)));

/** Names the initial migration instead of all earlier steps, which have the same effect. */
export const replaceEarlier = (engine: Engine, applied: readonly string[]): readonly string[] => {
  const steps = earlierSteps(engine);
  const isComplete = Object.keys(steps).every((name) => applied.includes(name));
  return isComplete ? [initialName, ...applied.filter((name) => !Object.hasOwn(steps, name))] : applied;
};

/** Gives an empty database, or one of an older version, the schema of the version with the named migrations. */
export const migrateTo = (db: Kysely<Tables>, engine: Engine, names: readonly string[]): Promise<void> => {
  const known = Object.entries({ ...earlierSteps(engine), ...allMigrations(engine) });
  const named = Object.fromEntries(known.filter(([name]) => names.includes(name)));
  return migrateInTransaction(db, engine, async () => named);
};
