import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "../../../server/platform/store/database.ts";
import { sqliteEngine } from "../../../server/platform/store/sqlite.ts";

const migrate = async (): Promise<Buffer> => {
  const folder = await mkdtemp(join(tmpdir(), "bauta-template-"));
  const file = join(folder, "bauta.db");
  const database = await openDatabase(sqliteEngine(file));
  await database.close();
  const content = await readFile(file);
  await rm(folder, { recursive: true, force: true });
  return content;
};

let template: Promise<Buffer> | undefined;

/** Writes a migrated SQLite file without rows; the migrations run once for each test process. */
export const writeSqliteFile = async (file: string): Promise<void> => {
  template ??= migrate();
  await writeFile(file, await template, { mode: 0o600 });
};
