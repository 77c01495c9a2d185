import { closeSync, mkdirSync, openSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Kysely, sql } from "kysely";
import type { Db } from "../store/database.ts";
import type { Engine } from "../store/engine.ts";
import { ownTables } from "../store/ownTables.ts";
import { assertReadable, compareSchema, migrateTo, migrateToLatest, readSchema } from "../store/schema.ts";
import type { Tables } from "../store/tables.ts";
import { type BackupHead, type ColumnValue, fromCell, isBackedUpFile } from "./backupFormat.ts";
import { BackupError, type OpenBackup, readBackup, readBackupHead } from "./readBackup.ts";
import type { BackupSummary } from "./writeBackup.ts";

export interface RestoreBackup {
  /** An open backup, which stays open. */
  readonly from: OpenBackup;
  /** An empty database, which is closed afterwards. */
  readonly engine: Engine;
  /** The data folder that receives the keys; null restores the tables only. */
  readonly dataDir: string | null;
  /** Called with the restored database, in this version, before it is closed. */
  readonly afterRestore: (db: Db) => Promise<void>;
  /** Called after every 1,000 rows. */
  readonly onProgress?: (rows: number) => void;
}

const maxParameters = 30_000;
const maxBatchBytes = 8_000_000;
const progressEach = 1_000;

const bytesOf = (row: readonly ColumnValue[]): number =>
  row.reduce<number>((sum, value) => sum + (typeof value === "object" ? (value?.length ?? 0) : 50), 0);

const createInserter = (db: Db, engine: Engine) => {
  let table = "";
  let columns: readonly string[] = [];
  let batch: (readonly ColumnValue[])[] = [];
  let bytes = 0;
  const overriding = engine.name === "postgresql" ? sql`overriding system value` : sql``;

  const flush = async (): Promise<void> => {
    if (batch.length === 0) return;
    const rows = sql.join(batch.map((row) => sql`(${sql.join(row)})`));
    const names = sql.join(columns.map((name) => sql.ref(name)));
    await sql`insert into ${sql.table(table)} (${names}) ${overriding} values ${rows}`.execute(db);
    [batch, bytes] = [[], 0];
  };
  return {
    flush,
    beginTable: async (name: string, ofColumns: readonly string[]): Promise<void> => {
      await flush();
      [table, columns] = [name, ofColumns];
    },
    add: async (row: readonly ColumnValue[]): Promise<void> => {
      if (row.length !== columns.length)
        throw new BackupError(`a row of ${table} has another number of columns`);
      batch.push(row);
      bytes += bytesOf(row);
      if ((batch.length + 1) * columns.length > maxParameters || bytes > maxBatchBytes) await flush();
    },
  };
};

/** Sets PostgreSQL's sequences after the restored ids; SQLite does so by itself. */
const continueCounting = async (db: Db): Promise<void> => {
  for (const { name, columns } of await ownTables(db))
    for (const column of columns.filter((one) => one.isAutoIncrementing))
      await sql`select setval(pg_get_serial_sequence(${name}, ${column.name}),
        (select coalesce(max(${sql.ref(column.name)}), 0) + 1 from ${sql.table(name)}), false)`.execute(db);
};

/** The files that a restore writes into the data folder, which it takes back when it fails. */
const createDataFiles = (dataDir: string) => {
  const written: string[] = [];
  const folders: string[] = [];
  return {
    write: (file: string, content: string): void => {
      if (!isBackedUpFile(file)) throw new BackupError(`it contains the file ${JSON.stringify(file)}`);
      const path = join(dataDir, file);
      const made = mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      if (made !== undefined) folders.push(made);
      const opened = openSync(path, "wx", 0o600);
      written.push(path);
      try {
        writeFileSync(opened, Buffer.from(content, "base64"));
      } finally {
        closeSync(opened);
      }
    },
    remove: (): void => {
      for (const path of written) rmSync(path, { force: true });
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    },
  };
};

type DataFiles = ReturnType<typeof createDataFiles>;

const tableNames = async (db: Db): Promise<readonly string[]> =>
  (await ownTables(db, { withInternalKyselyTables: true })).map(({ name }) => name);

/** Drops the tables that were not there before. */
const dropNewTables = async (db: Db, engine: Engine, before: readonly string[]): Promise<void> => {
  const tables = (await tableNames(db)).filter((name) => !before.includes(name));
  await db.connection().execute(async (connection) => {
    if (engine.name === "sqlite") await sql`pragma foreign_keys = off`.execute(connection);
    for (const name of tables)
      await (engine.name === "postgresql"
        ? sql`drop table if exists ${sql.table(name)} cascade`
        : sql`drop table if exists ${sql.table(name)}`
      ).execute(connection);
  });
};

const insertRows = async (
  db: Db,
  { from, engine, onProgress }: RestoreBackup,
  dataFiles: DataFiles | null,
): Promise<Omit<BackupSummary, "createdAt">> => {
  const inserter = createInserter(db, engine);
  const tables: Record<string, number> = {};
  let rows = 0;
  let files = 0;
  let table = "";
  for await (const line of readBackup(from)) {
    if ("row" in line) {
      await inserter.add(line.row.map(fromCell));
      tables[table] = (tables[table] ?? 0) + 1;
      rows += 1;
      if (rows % progressEach === 0) onProgress?.(rows);
    } else if ("table" in line) {
      table = line.table;
      tables[table] = 0;
      await inserter.beginTable(table, line.columns);
    } else if ("file" in line) {
      dataFiles?.write(line.file, line.content);
      files += 1;
    }
  }
  await inserter.flush();
  return { rows, files, tables };
};

const createTables = async (
  db: Db,
  engine: Engine,
  { head, applied }: { readonly head: BackupHead; readonly applied: readonly string[] },
): Promise<void> => {
  const ofBackup = compareSchema(engine, head.migrations);
  assertReadable(ofBackup);
  if (applied.length > 0 && (await db.selectFrom("users").select("id").limit(1).executeTakeFirst()))
    throw new BackupError("the database has accounts already; restore into a new data folder or database");
  if (applied.some((name) => !ofBackup.applied.includes(name)))
    throw new BackupError(
      "the database is of another version than the backup; restore into a new data folder or database",
    );
  await migrateTo(db, engine, ofBackup.applied);
};

/** Restores a backup into an empty database and migrates it to this version: all, or nothing is left of it. */
export const restoreBackup = async (request: RestoreBackup): Promise<BackupSummary> => {
  const { from, engine } = request;
  const head = await readBackupHead(from);
  const db = new Kysely<Tables>({ dialect: engine.dialect });
  const dataFiles = request.dataDir === null ? null : createDataFiles(request.dataDir);
  try {
    const { applied } = await readSchema(db, engine);
    const before = await tableNames(db);
    try {
      await createTables(db, engine, { head, applied });
      const summary = await db.transaction().execute((tx) => insertRows(tx, request, dataFiles));
      if (engine.name === "postgresql") await continueCounting(db);
      await migrateToLatest(db, engine);
      await request.afterRestore(db);
      return { createdAt: head.createdAt, ...summary };
    } catch (error) {
      dataFiles?.remove();
      if (applied.length === 0) await dropNewTables(db, engine, before);
      throw error;
    }
  } finally {
    await db.destroy();
  }
};
