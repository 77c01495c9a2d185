import { chmodSync, closeSync, existsSync, openSync } from "node:fs";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { SqliteDialect, type SqliteStatement, sql } from "kysely";
import type { Engine, RowStatement, SqlValue } from "./engine.ts";
import { createResultCache, type ObservedStatement, type ResultCache } from "./resultCache.ts";
import { createSharedTransactions } from "./sharedTransactions.ts";
import { noStandby } from "./standbyReads.ts";

type Values = (null | number | bigint | string | Uint8Array)[];

const duplicateKeyCodes = new Set([1555, 2067]);
const maxCachedStatements = 300;

/** Statements name their values as PostgreSQL does: `$1`. */
const toSqlite = (text: string): string => text.replace(/\$(?=\d)/g, "?");

/** Restricts the database file and its companions to their owner, including files of earlier versions. */
const restrictToOwner = (file: string): void => {
  closeSync(openSync(file, "a", 0o600));
  for (const path of [file, `${file}-wal`, `${file}-shm`]) if (existsSync(path)) chmodSync(path, 0o600);
};

type Read = (values: readonly SqlValue[]) => readonly unknown[];

/** Runs a query. Its rows are copies of one object, which V8 fills and reads faster than the dictionaries of `all`. */
const createRead = ({ statement }: ObservedStatement): Read => {
  const names = statement.columns().map(({ name }) => name);
  const empty = JSON.parse(JSON.stringify(Object.fromEntries(names.map((name) => [name, null])))) as Readonly<
    Record<string, unknown>
  >;
  statement.setReturnArrays(true);
  // The types of Node know rows as objects only, also after setReturnArrays.
  return (values) =>
    (statement.all(...values) as unknown as (readonly unknown[])[]).map((columns) => {
      const row = { ...empty };
      for (let n = 0; n < names.length; n += 1) row[names[n] as string] = columns[n];
      return row;
    });
};

/** A connection to a database file with its prepared statements, and a second one for reads while it writes. */
class SqliteConnection {
  readonly #file: string;
  readonly #database: DatabaseSync;
  readonly #results: ResultCache;
  readonly #statements = new Map<string, ObservedStatement>();
  readonly #rowStatements = new WeakMap<RowStatement, ObservedStatement & { readonly isReader: boolean }>();
  readonly #reads = new Map<string, Read>();
  readonly #cachedReads = new Map<string, ObservedStatement>();
  #committed: DatabaseSync | null = null;
  readonly #committedReads = new Map<string, StatementSync>();

  /** Opens a file in WAL mode; every commit is synced before it is confirmed (D44). */
  constructor(file: string) {
    this.#file = file;
    this.#database = new DatabaseSync(file, { enableForeignKeyConstraints: true, timeout: 5_000 });
    this.#database.exec("pragma journal_mode = wal; pragma synchronous = full; pragma secure_delete = on;");
    // A page that changes with every commit is copied from the log to the file only once in 16 MiB.
    this.#database.exec("pragma wal_autocheckpoint = 4000; pragma cache_size = -16000;");
    // What undoes a failed statement stays in memory, not in temporary files, which would hold pages of mail.
    this.#database.exec("pragma temp_store = memory;");
    this.#results = createResultCache(this.#database);
  }

  pragma(name: string): unknown {
    return Object.values(this.#database.prepare(`pragma ${name}`).get() ?? {})[0];
  }

  /** Copies the log into the file and empties it. */
  checkpoint(): void {
    this.#database.exec("pragma wal_checkpoint(truncate)");
  }

  runRows(statement: RowStatement, rows: readonly (readonly SqlValue[])[]): readonly unknown[] {
    const { statement: prepared, changes, isReader } = this.#prepareRows(statement);
    try {
      if (isReader) return rows.flatMap((row) => prepared.all(...row));
      for (const row of rows) prepared.run(...row);
      return [];
    } finally {
      this.#results.changed(changes);
    }
  }

  read(text: string, values: readonly SqlValue[]): readonly unknown[] {
    return this.#database.isTransaction ? this.#readCommitted(text, values) : this.#prepareRead(text)(values);
  }

  readCached(text: string, values: readonly SqlValue[]): readonly unknown[] {
    return this.#database.isTransaction
      ? this.#readCommitted(text, values)
      : this.#results.get(this.#prepareCachedRead(text), values);
  }

  /** Prepares a statement of Kysely. */
  prepare(text: string): SqliteStatement {
    // SQLite itself rolls back when the disk is full; the error of that must not replace the first one.
    const { statement, changes } = this.#prepare(
      text === "rollback" && !this.#database.isTransaction ? "select 0 where 0" : text,
    );
    const results = this.#results;
    const noticing = <A>(run: () => A): A => {
      try {
        return run();
      } finally {
        results.changed(changes);
      }
    };
    return {
      reader: statement.columns().length > 0,
      all: (values) => noticing(() => statement.all(...(values as Values))),
      run: (values) => noticing(() => statement.run(...(values as Values))),
      *iterate(values) {
        try {
          yield* statement.iterate(...(values as Values));
        } finally {
          results.changed(changes);
        }
      },
    };
  }

  close(): void {
    this.#statements.clear();
    this.#reads.clear();
    this.#cachedReads.clear();
    this.#committedReads.clear();
    this.#committed?.close();
    this.#committed = null;
    this.#database.close();
  }

  #prepare(text: string): ObservedStatement {
    const cached = this.#statements.get(text);
    if (cached) return cached;
    const observed = this.#results.prepare(text);
    if (this.#statements.size < maxCachedStatements) this.#statements.set(text, observed);
    return observed;
  }

  #prepareRows(statement: RowStatement) {
    const known = this.#rowStatements.get(statement);
    if (known) return known;
    const values = Object.keys(statement.columns).map((column) => `? as ${column}`);
    const observed = this.#results.prepare(
      statement.text(`(select ${values.join(", ")}) as given`, () => null),
    );
    const prepared = { ...observed, isReader: observed.statement.columns().length > 0 };
    this.#rowStatements.set(statement, prepared);
    return prepared;
  }

  #prepareRead(text: string): Read {
    const read = this.#reads.get(text) ?? createRead(this.#results.prepare(toSqlite(text)));
    this.#reads.set(text, read);
    return read;
  }

  #prepareCachedRead(text: string): ObservedStatement {
    const observed = this.#cachedReads.get(text) ?? this.#results.prepare(toSqlite(text));
    this.#cachedReads.set(text, observed);
    return observed;
  }

  /** Reads on a connection that never sees the uncommitted changes of another request. */
  #readCommitted(text: string, values: readonly SqlValue[]): readonly unknown[] {
    this.#committed ??= new DatabaseSync(this.#file, { readOnly: true, timeout: 5_000 });
    const statement = this.#committedReads.get(text) ?? this.#committed.prepare(toSqlite(text));
    this.#committedReads.set(text, statement);
    return statement.all(...values);
  }
}

/** Opens a database file of one machine. */
export const sqliteEngine = (file: string): Engine => {
  restrictToOwner(file);
  const connection = new SqliteConnection(file);
  return {
    name: "sqlite",
    jsonRows: (json) => sql`json_each(${json}) as each`,
    runRows: async <Row>(
      _transaction: unknown,
      statement: RowStatement,
      rows: readonly (readonly SqlValue[])[],
    ) => connection.runRows(statement, rows) as readonly Row[],
    read: async <Row>(text: string, values: readonly SqlValue[]) =>
      connection.read(text, values) as readonly Row[],
    readCached: async <Row>(text: string, values: readonly SqlValue[]) =>
      connection.readCached(text, values) as readonly Row[],
    isDuplicate: (error) =>
      error instanceof Error && "errcode" in error && duplicateKeyCodes.has(Number(error.errcode)),
    findDurabilityProblem: async () =>
      connection.pragma("journal_mode") === "wal" && connection.pragma("synchronous") === 2
        ? null
        : "SQLite must run with journal_mode=WAL and synchronous=FULL",
    channel: null,
    purgeDeleted: async () => connection.checkpoint(),
    createTransactions: createSharedTransactions,
    dialect: new SqliteDialect({ database: connection }),
    directDialect: () => null,
    createStandbyReads: noStandby,
    findAddressProblem: async () => null,
  };
};
