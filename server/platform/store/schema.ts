import { type Kysely, sql } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import type { Engine } from "./engine.ts";
import type { Tables } from "./tables/tables.ts";

type Migrations = Readonly<Record<string, Migration>>;

/** The applied migrations of a database, and the missing ones of this version. */
export interface SchemaState {
  readonly applied: readonly string[];
  readonly missing: readonly string[];
  /** Applied migrations that this version does not know. */
  readonly unknown: readonly string[];
}

/** Compares a database with the migrations of this version. A new database has none. */
export const readSchema = async (db: Kysely<Tables>, migrations: Migrations): Promise<SchemaState> => {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  const hasMigrations = tables.some(({ name }) => name === "kysely_migration");
  const { rows } = hasMigrations
    ? await sql<{ name: string }>`select name from kysely_migration order by timestamp, name`.execute(db)
    : { rows: [] };
  const applied = rows.map(({ name }) => name);
  return {
    applied,
    missing: Object.keys(migrations).filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !Object.hasOwn(migrations, name)),
  };
};

/** Throws when a newer version has changed the database, which this one could only damage. */
export const assertNotNewer = ({ unknown }: SchemaState): void => {
  if (unknown.length > 0)
    throw new Error(
      `a newer version of Bauta has changed the database (${unknown.at(-1)}): start that version, or restore a backup of this one`,
    );
};

const migrate = async (db: Kysely<Tables>, migrations: Migrations): Promise<void> => {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => ({ ...migrations }) },
    // Several migrations of one day have no order by name.
    allowUnorderedMigrations: true,
  });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
};

/** Applies missing migrations, all or none; parallel processes wait for each other. */
export const migrateWith = async (
  db: Kysely<Tables>,
  engine: Pick<Engine, "name">,
  migrations: Migrations,
): Promise<void> => {
  if (engine.name === "postgresql") return migrate(db, migrations);
  // Kysely runs them in one transaction on PostgreSQL only.
  await db.connection().execute(async (connection) => {
    await sql`begin immediate`.execute(connection);
    try {
      await migrate(connection, migrations);
      await sql`commit`.execute(connection);
    } catch (error) {
      await sql`rollback`.execute(connection);
      throw error;
    }
  });
};
