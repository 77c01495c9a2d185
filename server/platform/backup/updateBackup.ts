import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Database } from "../store/database.ts";
import { backupFolder } from "./openStore.ts";
import { type ReplaceRow, writeBackup } from "./writeBackup.ts";

/** Creates the function that backs up the database before an update changes its tables, once per update. */
export const createUpdateBackup =
  (dataDir: string, now: () => number, replaceRow?: ReplaceRow) =>
  async (database: Database, missing: readonly string[]): Promise<void> => {
    const folder = backupFolder(dataDir);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const to = join(folder, `before-${missing[0]}.gz`);
    if (!existsSync(to)) await writeBackup({ database, dataDir, to, now: now(), replaceRow });
  };
