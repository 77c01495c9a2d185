import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Database, openDatabase } from "../../../server/store/database.ts";
import { postgresqlEngine } from "../../../server/store/postgresql.ts";
import { sqliteEngine } from "../../../server/store/sqlite.ts";
import { startPostgresql } from "./postgresql.ts";

/** A kind of store that tests run against, always empty when opened. */
export interface TestStore {
  readonly name: string;
  /** Whether it can be had on this machine; to be asked before it is opened. */
  readonly isHere: () => Promise<boolean>;
  readonly open: () => Promise<Database>;
}

export const sqliteStore: TestStore = {
  name: "SQLite",
  isHere: async () => true,
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
  isHere: async () => (await startPostgresql()) !== null,
  open: async () => {
    const server = await startPostgresql();
    if (!server) throw new Error("there is no PostgreSQL here");
    return openDatabase(postgresqlEngine(await server.newDatabase()));
  },
};

export const everyStore = [sqliteStore, postgresqlStore];

/** Skips a suite, with one line that says so, where its store cannot be had. */
export const needs = (store: TestStore) =>
  async function (this: Mocha.Context): Promise<void> {
    this.timeout(30_000);
    if (await store.isHere()) return;
    console.log(`    skipped: there is no ${store.name} on this machine`);
    this.skip();
  };
