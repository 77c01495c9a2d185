import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Database, openDatabase } from "../../../server/store/database.ts";
import { postgresqlEngine } from "../../../server/store/postgresql.ts";
import { sqliteEngine } from "../../../server/store/sqlite.ts";
import { skipWithout } from "../../support/missing.ts";
import { hasPostgresql, newPostgresqlDatabase } from "./postgresql.ts";

/** A kind of store for tests; `open` returns an empty one. */
export interface TestStore {
  readonly name: string;
  /** Whether the store is available; `open` fails otherwise. */
  readonly isAvailable: () => boolean;
  readonly open: () => Promise<Database>;
}

export const sqliteStore: TestStore = {
  name: "SQLite",
  isAvailable: () => true,
  open: async () => {
    const folder = mkdtempSync(join(tmpdir(), "bauta-sqlite-"));
    const database = await openDatabase(sqliteEngine(join(folder, "bauta.sqlite")));
    return {
      ...database,
      close: async () => {
        await database.close();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  },
};

const postgresqlStore: TestStore = {
  name: "PostgreSQL",
  isAvailable: hasPostgresql,
  open: async () => openDatabase(postgresqlEngine(await newPostgresqlDatabase())),
};

export const everyStore = [sqliteStore, postgresqlStore];

/** Skips a suite whose store is unavailable; the end of the test run lists what was missing. */
export const requireStore = (store: TestStore) =>
  function (this: Mocha.Context): void {
    if (!store.isAvailable()) skipWithout(this, store.name);
  };
