import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Database, openDatabase } from "../../../server/platform/store/database.ts";
import type { Engine } from "../../../server/platform/store/engine.ts";
import { sqliteEngine } from "../../../server/platform/store/sqlite.ts";
import { skipWithout } from "../../support/missing.ts";
import { quickFolder } from "../../support/quickFolder.ts";
import { borrowPostgresqlDatabase, connectPostgresql, hasPostgresql } from "./postgresql.ts";
import { checkSqliteFile, writeSqliteFile } from "./sqliteTemplate.ts";

/** Access to the database of a test. */
export interface TestDatabase {
  /** Returns the same handle throughout one test. */
  readonly database: () => Database;
  /** Opens another handle on the same tables, as a second process would; it is closed after the test. */
  readonly another: () => Promise<Database>;
}

interface Place {
  readonly engine: () => Engine;
  readonly remove: () => Promise<void>;
}

const useDatabase = (fresh: () => Promise<Place>): TestDatabase => {
  let opened: Database[] = [];
  let place: Place | undefined;
  const another = async (): Promise<Database> => {
    if (!place) throw new Error("there is a database only while a test runs");
    const database = await openDatabase(place.engine());
    opened = [...opened, database];
    return database;
  };
  beforeEach(async () => {
    place = await fresh();
    await another();
  });
  afterEach(async () => {
    for (const database of opened) await database.close();
    opened = [];
    await place?.remove();
  });
  return {
    database: () => {
      const [first] = opened;
      if (!first) throw new Error("there is a database only while a test runs");
      return first;
    },
    another,
  };
};

/** Creates a new SQLite file for each test of a `describe`. */
export const useSqlite = (): TestDatabase =>
  useDatabase(async () => {
    const folder = mkdtempSync(join(quickFolder, "bauta-sqlite-"));
    const file = join(folder, "bauta.db");
    await writeSqliteFile(file);
    return {
      engine: () => sqliteEngine(file),
      remove: async () => {
        await checkSqliteFile(file);
        rmSync(folder, { recursive: true, force: true });
      },
    };
  });

/** Lends an empty PostgreSQL database to each test of a `describe`; skips the tests without a PostgreSQL server. */
export const usePostgresql = (): TestDatabase => {
  before(function () {
    if (!hasPostgresql()) skipWithout(this, "PostgreSQL");
  });
  return useDatabase(async () => {
    const { url, giveBack } = await borrowPostgresqlDatabase();
    return { engine: () => connectPostgresql(url), remove: giveBack };
  });
};

/** Runs the same tests on both databases. */
export const onEachDatabase = (suite: (use: TestDatabase) => void): void => {
  describe("on SQLite", () => suite(useSqlite()));
  describe("on PostgreSQL", () => suite(usePostgresql()));
};
