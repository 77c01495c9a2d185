import { constants, type DatabaseSync, type StatementSync } from "node:sqlite";
import type { SqlValue } from "./engine.ts";

/** A prepared statement, with the tables and columns that it reads and changes. */
export interface ObservedStatement {
  readonly statement: StatementSync;
  /** `table.column` of what it reads, and `table` itself. */
  readonly reads: ReadonlySet<string>;
  /** `table.column` for an update, `table` for new and deleted rows, those of cascades included. */
  readonly changes: ReadonlySet<string>;
}

/** Results of queries on a SQLite connection, kept until something that they read changes. */
export interface ResultCache {
  /** Prepares a statement; whoever runs it calls `changed` with its `changes` afterwards. */
  readonly prepare: (text: string) => ObservedStatement;
  readonly changed: (changes: ReadonlySet<string>) => void;
  /**
   * Returns the rows of a query, outside of a transaction only. Changes by this connection count at once; those by
   * another process from the next turn of the event loop on.
   */
  readonly get: (query: ObservedStatement, values: readonly SqlValue[]) => readonly unknown[];
}

/** The most characters of kept parameters and rows. */
const maxCharacters = 8 * 1024 * 1024;
/** Counted for each kept result besides its texts. */
const baseCharacters = 500;

const charactersOf = (rows: readonly unknown[]): number =>
  rows
    .flatMap((row) => Object.values(row ?? {}))
    .reduce((sum: number, value) => sum + (typeof value === "string" ? value.length : 8), baseCharacters);

/** Creates an empty cache for a connection. */
export const createResultCache = (database: DatabaseSync): ResultCache => {
  const results = new Map<ObservedStatement, Map<string, readonly unknown[]>>();
  /** The resources that the kept results depend on. */
  const dependencies = new Set<string>();
  let characters = 0;
  let version: unknown = null;
  let isVersionFresh = false;
  let preparing: { readonly reads: Set<string>; readonly changes: Set<string> } | null = null;

  const prepare = (text: string): ObservedStatement => {
    const observed = { reads: new Set<string>(), changes: new Set<string>() };
    preparing = observed;
    try {
      return { statement: database.prepare(text), ...observed };
    } finally {
      preparing = null;
    }
  };

  database.setAuthorizer((action, table, column) => {
    if (action === constants.SQLITE_READ) preparing?.reads.add(`${table}`).add(`${table}.${column}`);
    if (action === constants.SQLITE_UPDATE) preparing?.changes.add(`${table}.${column}`);
    if (action === constants.SQLITE_INSERT || action === constants.SQLITE_DELETE)
      preparing?.changes.add(`${table}`);
    return constants.SQLITE_OK;
  });

  const clear = (): void => {
    results.clear();
    dependencies.clear();
    characters = 0;
  };

  const versionOfOthers = database.prepare("pragma data_version");
  const noticeOthers = (): void => {
    if (isVersionFresh) return;
    const [row] = versionOfOthers.all();
    const current = row?.["data_version"];
    if (current !== version) clear();
    version = current;
    isVersionFresh = true;
    setImmediate(() => {
      isVersionFresh = false;
    });
  };

  return {
    prepare,
    changed: (changes) => {
      for (const one of changes) if (dependencies.has(one)) clear();
    },
    get: (query, values) => {
      noticeOthers();
      const key = JSON.stringify(values);
      const kept = results.get(query)?.get(key);
      if (kept) return kept;
      const rows = query.statement.all(...values);
      if (characters > maxCharacters) clear();
      characters += key.length + charactersOf(rows);
      results.set(query, (results.get(query) ?? new Map()).set(key, rows));
      for (const one of query.reads) dependencies.add(one);
      return rows;
    },
  };
};
