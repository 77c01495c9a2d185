import { chownSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { backupFolder, engineOf } from "../backup/openStore.ts";
import { BackupError } from "../backup/readBackup.ts";
import { restoreBackup } from "../backup/restoreBackup.ts";
import { type BackupSummary, writeBackup } from "../backup/writeBackup.ts";
import { lockDataDir } from "../config/dataDirLock.ts";
import { openDataDir } from "../config/resources.ts";
import { sqliteEngine } from "../store/sqlite.ts";
import { type Command, CommandError, type Terminal } from "./command.ts";
import { configOf, withStore } from "./store.ts";

const nameOf = (now: number): string =>
  `bauta-${new Date(now).toISOString().slice(0, 19).replaceAll(":", "-")}.gz`;

const summaryLine = ({ createdAt, rows, files, tables }: BackupSummary): string =>
  `${rows} rows of ${Object.keys(tables).length} tables and ${files} files, of ${createdAt}`;

const progressOf =
  ({ progress }: Terminal, what: string) =>
  (rows: number): void =>
    progress(`${what}: ${rows} rows`);

/** Gives what root has written to the owner of the data folder: the server writes backups there before updates. */
const giveToOwnerOf = (dataDir: string, paths: readonly string[]): void => {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(dataDir);
  for (const path of paths) chownSync(path, uid, gid);
};

const backup: Command = {
  name: "backup",
  summary: "Back up the database and the keys, also while the server runs",
  usage: "[<file>]",
  optionalPositionals: 1,
  run: (invocation) =>
    withStore(invocation, async ({ config: { dataDir }, database }) => {
      const now = invocation.clock.now();
      const [file] = invocation.positionals;
      if (file === undefined) mkdirSync(backupFolder(dataDir), { recursive: true, mode: 0o700 });
      const to = file === undefined ? join(backupFolder(dataDir), nameOf(now)) : resolve(file);
      const onProgress = progressOf(invocation.terminal, "Backing up");
      const summary = await writeBackup({ database, dataDir, to, now, onProgress });
      if (file === undefined) giveToOwnerOf(dataDir, [backupFolder(dataDir), to]);
      invocation.terminal.progress("");
      invocation.terminal.print({ file: to, ...summary }, [
        to,
        `${summaryLine(summary)}. Keep a copy elsewhere: it contains the keys and mails that wait.`,
      ]);
      return 0;
    }),
};

const readable = async <A>(file: string, work: () => Promise<A>): Promise<A> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof BackupError) throw new CommandError(`${file}: ${error.message}.`);
    throw error;
  }
};

const restore: Command = {
  name: "restore",
  summary: "Restore a backup into an empty data folder and database; the server must be stopped",
  usage: "<file>",
  positionals: 1,
  run: async (invocation) => {
    const [file = ""] = invocation.positionals;
    const config = configOf(invocation);
    const { dataDir } = config;
    process.umask(0o077);
    await openDataDir(dataDir);
    if (existsSync(join(dataDir, "hashing.key")))
      throw new CommandError(
        `${dataDir} belongs to an installation already. Set DATA_DIR to a new folder, or move this one away.`,
      );
    const unlock = config.databaseUrl === null ? await lockDataDir(dataDir) : () => {};
    const onProgress = progressOf(invocation.terminal, "Restoring");
    const summary = await readable(file, () =>
      restoreBackup({ from: file, engine: engineOf(config), dataDir, onProgress }),
    ).finally(unlock);
    invocation.terminal.progress("");
    invocation.terminal.print({ dataDir, ...summary }, [
      `Restored ${summaryLine(summary)}.`,
      "Start the server: mails that waited are sent now, those that were sent after the backup a second time.",
    ]);
    return 0;
  },
};

const verify: Command = {
  name: "verify",
  summary: "Restore a backup into a temporary database to see that it can be",
  usage: "<file>",
  positionals: 1,
  run: async (invocation) => {
    const [file = ""] = invocation.positionals;
    const folder = mkdtempSync(join(tmpdir(), "bauta-verify-"));
    try {
      const onProgress = progressOf(invocation.terminal, "Verifying");
      const engine = sqliteEngine(join(folder, "bauta.db"));
      const summary = await readable(file, () =>
        restoreBackup({ from: file, engine, dataDir: null, onProgress }),
      );
      invocation.terminal.progress("");
      invocation.terminal.print(summary, [`The backup is whole: ${summaryLine(summary)}.`]);
      return 0;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

export const backupCommands: readonly Command[] = [backup, restore, verify];
