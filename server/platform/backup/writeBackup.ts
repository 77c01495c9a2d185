import { constants } from "node:fs";
import { type FileHandle, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { sql } from "kysely";
import { errorCode } from "../errors/errorCode.ts";
import type { Database, Db } from "../store/database.ts";
import { ownTables } from "../store/ownTables.ts";
import { readApplied } from "../store/schema.ts";
import { isBackedUpFile, type Line, toCell } from "./backupFormat.ts";

/** A summary of a backup's content. */
export interface BackupSummary {
  readonly createdAt: string;
  readonly rows: number;
  readonly files: number;
  /** The number of rows by table. */
  readonly tables: Readonly<Record<string, number>>;
}

/** A row of a table by its columns. */
export type BackupRow = ReadonlyMap<string, unknown>;

/** Returns the rows that a backup has instead of one, because something that it refers to is not backed up; null keeps it. */
export type ReplaceRow = (table: string, row: BackupRow) => AsyncIterable<BackupRow> | null;

export interface WriteBackup {
  readonly database: Database;
  readonly dataDir: string;
  readonly now: number;
  readonly replaceRow?: ReplaceRow | undefined;
  /** Called after every 1,000 rows. */
  readonly onProgress?: (rows: number) => void;
  /** Encrypts what is written; without it the backup is in clear. */
  readonly encrypt?: ((content: AsyncIterable<Uint8Array>) => Promise<Readable>) | undefined;
}

/** Rows of PostgreSQL that are fetched at once; each may contain a whole mail. */
const fetchSize = 20;
const progressEach = 1_000;

const referencesOf = async (
  { engine }: Database,
  db: Db,
): Promise<readonly (readonly [string, string])[]> => {
  const query =
    engine.name === "postgresql"
      ? sql<{ child: string; parent: string }>`
          select c.relname as child, p.relname as parent from pg_constraint k
          join pg_class c on c.oid = k.conrelid join pg_class p on p.oid = k.confrelid where k.contype = 'f'`
      : sql<{ child: string; parent: string }>`
          select m.name as child, f."table" as parent from sqlite_master m, pragma_foreign_key_list(m.name) f
          where m.type = 'table'`;
  return (await query.execute(db)).rows.map(({ child, parent }) => [child, parent]);
};

/** Returns the names of tables that PostgreSQL keeps in parts, or of their parts. */
const partitioned = async (
  { engine }: Database,
  db: Db,
  which: "tables" | "parts",
): Promise<readonly string[]> => {
  if (engine.name === "sqlite") return [];
  const is = which === "tables" ? sql`relkind = 'p'` : sql`relispartition`;
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class where ${is} and pg_table_is_visible(oid)`.execute(db);
  return rows.map(({ name }) => name);
};

/** Returns the tables, referenced ones first. Rows in parts are read with their table. */
const tablesInOrder = async (database: Database, db: Db) => {
  const parts = await partitioned(database, db, "parts");
  const tables = (await ownTables(db)).filter(({ name }) => !parts.includes(name));
  const references = await referencesOf(database, db);
  const ordered: string[] = [];
  const visit = (name: string): void => {
    if (ordered.includes(name)) return;
    for (const [child, parent] of references) if (child === name && parent !== name) visit(parent);
    ordered.push(name);
  };
  for (const { name } of tables.toSorted((a, b) => a.name.localeCompare(b.name))) visit(name);
  return ordered.flatMap((name) => tables.find((table) => table.name === name && !table.isView) ?? []);
};

const rowsOf = async function* ({ engine }: Database, db: Db, table: string): AsyncIterable<object> {
  if (engine.name === "sqlite") {
    yield* db
      .selectFrom(table as never)
      .selectAll()
      .stream();
    return;
  }
  await sql`declare rows no scroll cursor for select * from ${sql.table(table)}`.execute(db);
  for (;;) {
    const { rows } = await sql<object>`fetch ${sql.lit(fetchSize)} from rows`.execute(db);
    yield* rows;
    if (rows.length < fetchSize) break;
  }
  await sql`close rows`.execute(db);
};

const backedUpRows = async function* (
  { database, replaceRow }: Pick<WriteBackup, "database" | "replaceRow">,
  db: Db,
  table: string,
): AsyncIterable<BackupRow> {
  for await (const row of rowsOf(database, db, table)) {
    const values = new Map<string, unknown>(Object.entries(row));
    yield* replaceRow?.(table, values) ?? [values];
  }
};

const listFiles = async (dataDir: string): Promise<readonly string[]> => {
  const entries = await readdir(dataDir, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(dataDir, join(parentPath, name)))
    .filter(isBackedUpFile)
    .sort();
};

const readIfPresent = (path: string): Promise<Buffer | null> =>
  readFile(path, { flag: constants.O_RDONLY | constants.O_NOFOLLOW }).catch((error: unknown) => {
    // A mail of the outbox may have been deleted meanwhile, or replaced by a link.
    if (["ENOENT", "ELOOP"].includes(errorCode(error))) return null;
    throw error;
  });

/** Begins to read one state. No part is dropped meanwhile, whose rows would not be seen where they are moved to. */
const begin = async (db: Db, database: Database): Promise<void> => {
  if (database.engine.name === "sqlite") return void (await sql`begin`.execute(db));
  const tables = await partitioned(database, db, "tables");
  await sql`begin transaction isolation level repeatable read read only`.execute(db);
  if (tables.length > 0)
    await sql`lock table ${sql.join(tables.map((name) => sql.table(name)))} in access share mode`.execute(db);
};

const sync = async (path: string): Promise<void> => {
  const handle = await open(path);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

/** A new file beside the one that it replaces once it is complete. */
interface NewFile {
  readonly handle: FileHandle;
  /** Replaces the file of the name, also when that is a link. */
  readonly finish: () => Promise<void>;
  readonly discard: () => Promise<void>;
}

const newFileFlags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/** Creates a new file for a backup, which only its owner can read. */
const createNewFile = async (to: string): Promise<NewFile> => {
  const partial = `${to}.partial`;
  await rm(partial, { force: true });
  const handle = await open(partial, newFileFlags, 0o600);
  return {
    handle,
    finish: async () => {
      await rename(partial, to);
      await sync(dirname(to));
    },
    discard: async () => {
      await handle.close().catch(() => {});
      await rm(partial, { force: true });
    },
  };
};

/** Writes a consistent backup of the database and the keys into a file, which is synced and closed, while the server runs. */
export const writeBackupInto = async (
  { handle }: Pick<NewFile, "handle">,
  request: WriteBackup,
): Promise<BackupSummary> => {
  const { database, dataDir, now, onProgress, encrypt } = request;
  const createdAt = new Date(now).toISOString();
  const tables: Record<string, number> = {};
  let rows = 0;
  let files = 0;

  const lines = async function* (db: Db): AsyncIterable<string> {
    const line = (content: Line): string => `${JSON.stringify(content)}\n`;
    const applied = await readApplied(db);
    yield line({ format: "bauta-backup", version: 1, createdAt, migrations: [...applied] });
    for (const file of await listFiles(dataDir)) {
      const content = await readIfPresent(join(dataDir, file));
      if (content === null) continue;
      files += 1;
      yield line({ file, content: content.toString("base64") });
    }
    for (const { name, columns } of await tablesInOrder(database, db)) {
      const names = columns.map((column) => column.name);
      tables[name] = 0;
      yield line({ table: name, columns: names });
      for await (const row of backedUpRows(request, db, name)) {
        yield line({ row: names.map((column) => toCell(row.get(column))) });
        tables[name] += 1;
        rows += 1;
        if (rows % progressEach === 0) onProgress?.(rows);
      }
    }
    yield line({ end: true, rows, files });
  };

  await database.db.connection().execute(async (db) => {
    await begin(db, database);
    try {
      const file = handle.createWriteStream({ flush: true });
      const packed = Readable.from(lines(db)).compose(createGzip());
      await pipeline(encrypt ? await encrypt(packed) : packed, file);
    } finally {
      await sql`rollback`.execute(db);
    }
  });
  return { createdAt, rows, files, tables };
};

/** Runs work that writes a new file, which replaces the one at `to` when the work succeeds. */
export const intoNewFile = async <A>(to: string, work: (file: NewFile) => Promise<A>): Promise<A> => {
  const file = await createNewFile(to);
  try {
    const result = await work(file);
    await file.finish();
    return result;
  } catch (error) {
    await file.discard();
    throw error;
  }
};

/**
 * Writes a consistent backup of the database and the keys to a path while the server runs. Only its owner can read
 * the file: it contains keys and queued mails.
 */
export const writeBackup = ({
  to,
  ...request
}: WriteBackup & { readonly to: string }): Promise<BackupSummary> =>
  intoNewFile(to, (file) => writeBackupInto(file, request));
