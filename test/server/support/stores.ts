import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Database, openDatabase } from "../../../server/platform/store/database.ts";
import { sqliteEngine } from "../../../server/platform/store/sqlite.ts";
import { skipWithout } from "../../support/missing.ts";
import { quickFolder } from "../../support/quickFolder.ts";
import { borrowPostgresqlDatabase, connectPostgresql, hasPostgresql } from "./postgresql.ts";
import { checkSqliteFile, writeSqliteFile } from "./sqliteTemplate.ts";

/** A kind of store for tests; `open` returns one with the bystander alone. */
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
    const folder = mkdtempSync(join(quickFolder, "bauta-sqlite-"));
    const file = join(folder, "bauta.sqlite");
    await writeSqliteFile(file);
    const database = await openDatabase(sqliteEngine(file));
    return {
      ...database,
      close: async () => {
        await database.close();
        await checkSqliteFile(file);
        rmSync(folder, { recursive: true, force: true });
      },
    };
  },
};

export const postgresqlStore: TestStore = {
  name: "PostgreSQL",
  isAvailable: hasPostgresql,
  open: async () => {
    const { url, giveBack } = await borrowPostgresqlDatabase();
    const database = await openDatabase(connectPostgresql(url));
    return {
      ...database,
      close: async () => {
        await database.close();
        await giveBack();
      },
    };
  },
};

export const everyStore = [sqliteStore, postgresqlStore];

/** Skips a suite whose store is unavailable; the end of the test run lists what was missing. */
export const requireStore = (store: TestStore) =>
  function (this: Mocha.Context): void {
    if (!store.isAvailable()) skipWithout(this, store.name);
  };
