import { chmodSync, closeSync, existsSync, openSync } from "node:fs";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { SqliteDialect, sql } from "kysely";
import type { Engine } from "./engine.ts";

type Values = (null | number | bigint | string | Uint8Array)[];

const duplicateKeyCodes = new Set([1555, 2067]);
const maxCachedStatements = 300;

/** Restricts the database file and its companions to their owner, including files of earlier versions. */
const restrictToOwner = (file: string): void => {
  closeSync(openSync(file, "a", 0o600));
  for (const path of [file, `${file}-wal`, `${file}-shm`]) if (existsSync(path)) chmodSync(path, 0o600);
};

/** Opens a database file in WAL mode with every commit on the disk before it is confirmed (D44). */
export const sqliteEngine = (file: string): Engine => {
  restrictToOwner(file);
  const database = new DatabaseSync(file, { enableForeignKeyConstraints: true, timeout: 5_000 });
  database.exec("pragma journal_mode = wal; pragma synchronous = full; pragma secure_delete = on;");

  const statements = new Map<string, StatementSync>();
  const prepare = (text: string): StatementSync => {
    const cached = statements.get(text);
    if (cached) return cached;
    const statement = database.prepare(text);
    if (statements.size < maxCachedStatements) statements.set(text, statement);
    return statement;
  };

  const pragma = (name: string): unknown => Object.values(database.prepare(`pragma ${name}`).get() ?? {})[0];

  return {
    name: "sqlite",
    binaryType: "blob",
    autoIncrementType: sql`integer`,
    jsonRows: (json) => sql`json_each(${json}) as each`,
    isDuplicate: (error) =>
      error instanceof Error && "errcode" in error && duplicateKeyCodes.has(Number(error.errcode)),
    findDurabilityProblem: async () =>
      pragma("journal_mode") === "wal" && pragma("synchronous") === 2
        ? null
        : "SQLite must run with journal_mode=WAL and synchronous=FULL",
    purgeDeleted: async () => {
      database.exec("pragma wal_checkpoint(truncate)");
    },
    dialect: new SqliteDialect({
      database: {
        close: () => {
          statements.clear();
          database.close();
        },
        prepare: (text) => {
          const statement = prepare(text);
          return {
            reader: statement.columns().length > 0,
            all: (values) => statement.all(...(values as Values)),
            run: (values) => statement.run(...(values as Values)),
            iterate: (values) => statement.iterate(...(values as Values)) as IterableIterator<unknown>,
          };
        },
      },
    }),
  };
};
