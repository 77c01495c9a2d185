import { type Kysely, sql } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import type { Engine } from "./engine.ts";
import { isOfLastBeforeInitial } from "./migrations/beforeInitial.ts";
import { allMigrations, initialName } from "./migrations/migrations.ts";
import { ownTables } from "./ownTables.ts";
import type { Tables } from "./tables.ts";

/** The applied migrations of a database, and those that this version has to run or to record. */
export interface SchemaState {
  /** By the names of this version, where the last one before 0.3.0 has made the tables. */
  readonly applied: readonly string[];
  readonly missing: readonly string[];
  /** Applied migrations that this version does not know. */
  readonly unknown: readonly string[];
}

/** Returns the names of a database's migrations, in the order in which they were applied. */
export const readApplied = async (db: Kysely<Tables>): Promise<readonly string[]> => {
  const tables = await ownTables(db, { withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === "kysely_migration")) return [];
  const { rows } = await sql<{
    name: string;
  }>`select name from kysely_migration order by timestamp, name`.execute(db);
  return rows.map(({ name }) => name);
};

/** Compares the recorded migrations of a database with those of this version; a new database has none. */
export const compareSchema = (engine: Engine, recorded: readonly string[]): SchemaState => {
  const names = Object.keys(allMigrations(engine));
  const applied = isOfLastBeforeInitial(recorded) ? [initialName] : recorded;
  return {
    applied,
    missing: names.filter((name) => !recorded.includes(name)),
    unknown: applied.filter((name) => !names.includes(name)),
  };
};

/** Compares a database with the migrations of this version. */
export const readSchema = async (db: Kysely<Tables>, engine: Engine): Promise<SchemaState> =>
  compareSchema(engine, await readApplied(db));

/** Throws for tables that this version cannot read: those of a newer version, and of one before 0.3.0 but for the last. */
export const assertReadable = ({ applied, unknown }: SchemaState): void => {
  if (applied.length > 0 && !applied.includes(initialName))
    throw new Error(
      `this version does not read tables from before 0.3.0 (their last change is ${applied.at(-1)}): start the last ` +
        "version before 0.3.0 on them, or let it restore a backup of them (bauta backup, bauta restore), which updates " +
        "them, and then start this version; see Updates in docs/self-hosting.md",
    );
  if (unknown.length > 0)
    throw new Error(
      `a newer version of Bauta has changed the database (${unknown.at(-1)}): start that version, or restore a backup of this one`,
    );
};

/** Records the initial migration where the last version before 0.3.0 has made its tables. A second process changes nothing. */
const recordInitial = async (db: Kysely<Tables>): Promise<void> => {
  const [first, ...others] = await readApplied(db);
  if (first === undefined || !isOfLastBeforeInitial([first, ...others])) return;
  await sql`update kysely_migration set name = ${initialName} where name = ${first}`.execute(db);
  await sql`delete from kysely_migration where name in (${sql.join(others)})`.execute(db);
};

/** Runs what is missing of the migrations, all or none; parallel processes wait for each other. */
const migrate = async (
  db: Kysely<Tables>,
  migrations: Readonly<Record<string, Migration>>,
): Promise<void> => {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...migrations }) } });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
};

/** Applies those of the named migrations that a database lacks; it is as before when one fails. */
export const migrateTo = async (
  db: Kysely<Tables>,
  engine: Engine,
  names: readonly string[],
): Promise<void> => {
  const migrations = Object.fromEntries(
    Object.entries(allMigrations(engine)).filter(([name]) => names.includes(name)),
  );
  if (engine.name === "postgresql") {
    await db.transaction().setIsolationLevel("read committed").execute(recordInitial);
    return migrate(db, migrations);
  }
  // NOTE: the migrator of Kysely runs all steps in one transaction on PostgreSQL only; on SQLite a failure in the middle would
  // leave half a schema without this.
  await db.connection().execute(async (connection) => {
    await sql`begin immediate`.execute(connection);
    try {
      await recordInitial(connection);
      await migrate(connection, migrations);
      await sql`commit`.execute(connection);
    } catch (error) {
      await sql`rollback`.execute(connection);
      throw error;
    }
  });
};

/** Gives a database the schema of this version. */
export const migrateToLatest = (db: Kysely<Tables>, engine: Engine): Promise<void> =>
  migrateTo(db, engine, Object.keys(allMigrations(engine)));
