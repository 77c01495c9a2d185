import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "../../../server/platform/store/database.ts";
import { sqliteEngine } from "../../../server/platform/store/sqlite.ts";
import { addBystander } from "./bystander.ts";
import {
  compareOwned,
  findOwnedTables,
  type OwnedRows,
  type OwnedTables,
  readOwnedRows,
} from "./bystanderCheck.ts";

interface Template {
  readonly content: Buffer;
  readonly tables: OwnedTables;
  readonly owned: OwnedRows;
}

const createTemplate = async (): Promise<Template> => {
  const folder = await mkdtemp(join(tmpdir(), "bauta-template-"));
  const file = join(folder, "bauta.db");
  const database = await openDatabase(sqliteEngine(file));
  await addBystander(database);
  await database.close();
  const content = await readFile(file);
  const tables = findOwnedTables(file);
  const owned = readOwnedRows(file, tables);
  await rm(folder, { recursive: true, force: true });
  return { content, tables, owned };
};

let created: Promise<Template> | undefined;

const template = (): Promise<Template> => {
  created ??= createTemplate();
  return created;
};

/** The tables that belong to users, each with the condition for the bystander's rows. */
export const ownedTables = async (): Promise<OwnedTables> => (await template()).tables;

/** Writes a migrated SQLite file with the rows of the bystander alone; the migrations run once for each test process. */
export const writeSqliteFile = async (file: string): Promise<void> =>
  writeFile(file, (await template()).content, { mode: 0o600 });

/** Throws when a test has changed the bystander's rows of such a file. */
export const checkSqliteFile = async (file: string): Promise<void> => {
  if (!existsSync(file)) return;
  const { tables, owned } = await template();
  compareOwned(owned, readOwnedRows(file, tables));
};
