import { chmodSync, closeSync, existsSync, openSync } from "node:fs";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { SqliteDialect, sql } from "kysely";
import type { Engine, RowStatement, SqlValue } from "./engine.ts";
import { createResultCache, type ObservedStatement } from "./resultCache.ts";

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
  return (values) =>
    (statement.all(...values) as unknown as (readonly unknown[])[]).map((columns) => {
      const row = { ...empty };
      for (let n = 0; n < names.length; n += 1) row[names[n] as string] = columns[n];
      return row;
    });
};

/** Opens a database file in WAL mode; every commit is synced before it is confirmed (D44). */
export const sqliteEngine = (file: string): Engine => {
  restrictToOwner(file);
  const database = new DatabaseSync(file, { enableForeignKeyConstraints: true, timeout: 5_000 });
  database.exec("pragma journal_mode = wal; pragma synchronous = full; pragma secure_delete = on;");
  // A page that changes with every commit is copied from the log to the file only once in 16 MiB.
  database.exec("pragma wal_autocheckpoint = 4000; pragma cache_size = -16000;");
  // What undoes a failed statement stays in memory, not in temporary files, which would hold pages of mail.
  database.exec("pragma temp_store = memory;");

  const results = createResultCache(database);
  const statements = new Map<string, ObservedStatement>();
  const prepare = (text: string): ObservedStatement => {
    const cached = statements.get(text);
    if (cached) return cached;
    const observed = results.prepare(text);
    if (statements.size < maxCachedStatements) statements.set(text, observed);
    return observed;
  };

  const rowStatements = new WeakMap<RowStatement, ObservedStatement & { readonly isReader: boolean }>();
  const prepareRows = (statement: RowStatement) => {
    const known = rowStatements.get(statement);
    if (known) return known;
    const values = Object.keys(statement.columns).map((column) => `? as ${column}`);
    const observed = results.prepare(statement.text(`(select ${values.join(", ")}) as given`));
    const prepared = { ...observed, isReader: observed.statement.columns().length > 0 };
    rowStatements.set(statement, prepared);
    return prepared;
  };

  const cachedReads = new Map<string, ObservedStatement>();
  const prepareCachedRead = (text: string): ObservedStatement => {
    const observed = cachedReads.get(text) ?? results.prepare(toSqlite(text));
    cachedReads.set(text, observed);
    return observed;
  };
  const reads = new Map<string, Read>();
  const prepareRead = (text: string): Read => {
    const read = reads.get(text) ?? createRead(results.prepare(toSqlite(text)));
    reads.set(text, read);
    return read;
  };

  let committed: DatabaseSync | null = null;
  const committedReads = new Map<string, StatementSync>();
  /** Reads on a connection that never sees the uncommitted changes of another request. */
  const readCommitted = (text: string, values: readonly SqlValue[]): unknown[] => {
    committed ??= new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
    const statement = committedReads.get(text) ?? committed.prepare(toSqlite(text));
    committedReads.set(text, statement);
    return statement.all(...values);
  };

  const pragma = (name: string): unknown => Object.values(database.prepare(`pragma ${name}`).get() ?? {})[0];

  return {
    name: "sqlite",
    binaryType: "blob",
    autoIncrementType: sql`integer`,
    jsonRows: (json) => sql`json_each(${json}) as each`,
    runRows: async <Row>(
      _transaction: unknown,
      statement: RowStatement,
      rows: readonly (readonly SqlValue[])[],
    ) => {
      const { statement: prepared, changes, isReader } = prepareRows(statement);
      try {
        if (isReader) return rows.flatMap((row) => prepared.all(...row) as Row[]);
        for (const row of rows) prepared.run(...row);
        return [];
      } finally {
        results.changed(changes);
      }
    },
    read: async <Row>(text: string, values: readonly SqlValue[]) =>
      (database.isTransaction ? readCommitted(text, values) : prepareRead(text)(values)) as Row[],
    readCached: async <Row>(text: string, values: readonly SqlValue[]) =>
      (database.isTransaction
        ? readCommitted(text, values)
        : results.get(prepareCachedRead(text), values)) as readonly Row[],
    isDuplicate: (error) =>
      error instanceof Error && "errcode" in error && duplicateKeyCodes.has(Number(error.errcode)),
    findDurabilityProblem: async () =>
      pragma("journal_mode") === "wal" && pragma("synchronous") === 2
        ? null
        : "SQLite must run with journal_mode=WAL and synchronous=FULL",
    channel: null,
    alone: (_name, work) => work(),
    purgeDeleted: async () => {
      database.exec("pragma wal_checkpoint(truncate)");
    },
    dialect: new SqliteDialect({
      database: {
        close: () => {
          statements.clear();
          reads.clear();
          cachedReads.clear();
          committedReads.clear();
          committed?.close();
          committed = null;
          database.close();
        },
        prepare: (text) => {
          // SQLite itself rolls back when the disk is full; the error of that must not replace the first one.
          const { statement, changes } = prepare(
            text === "rollback" && !database.isTransaction ? "select 0 where 0" : text,
          );
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
        },
      },
    }),
  };
};
