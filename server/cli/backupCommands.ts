import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";
import { releaseAllLeases } from "../delivery/queue/queueQueries.ts";
import { backupFolder, engineOf } from "../platform/backup/openStore.ts";
import { BackupError, openBackup } from "../platform/backup/readBackup.ts";
import { restoreBackup } from "../platform/backup/restoreBackup.ts";
import {
  type BackupSummary,
  intoNewFile,
  writeBackup,
  writeBackupInto,
} from "../platform/backup/writeBackup.ts";
import { lockDataDir } from "../platform/config/dataDirLock.ts";
import { openDataDir } from "../platform/config/resources.ts";
import { sqliteEngine } from "../platform/store/sqlite.ts";
import { type Command, CommandError, type Terminal } from "./command.ts";
import { asOwnerOf } from "./dataDirOwner.ts";
import { configOf, withStore } from "./store.ts";

const nameOf = (now: number): string =>
  `bauta-${new Date(now).toISOString().slice(0, 19).replaceAll(":", "-")}.gz`;

const summaryLine = ({ createdAt, rows, files, tables }: BackupSummary): string =>
  `${rows} rows of ${Object.keys(tables).length} tables and ${files} files, of ${createdAt}`;

const progressOf =
  ({ progress }: Terminal, what: string) =>
  (rows: number): void =>
    progress(`${what}: ${rows} rows`);

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

const withinOf = (folder: string, file: string): string | null => {
  const path = relative(folder, file);
  return path.startsWith("..") || isAbsolute(path) ? null : path;
};

/** Returns the path of a file within the data folder, as it is written or where links lead; null outside. */
const placeIn = (dataDir: string, file: string): string | null => {
  const written = withinOf(dataDir, file);
  if (written !== null || !existsSync(dirname(file)) || !existsSync(dataDir)) return written;
  return withinOf(realpathSync(dataDir), join(realpathSync(dirname(file)), basename(file)));
};

/** Refuses a place where no file can be written, before anything is read. */
const assertWritable = (file: string): void => {
  const about = statSync(file, { throwIfNoEntry: false });
  if (about && !about.isFile())
    throw new CommandError(`${file} is no file. Name one, such as ${join(file, "bauta.gz")}.`);
  const folder = dirname(file);
  if (!isFolder(folder))
    throw new CommandError(`There is no folder ${folder}. Make it, or name another file.`);
};

const backup: Command = {
  name: "backup",
  summary: "Back up the database and the keys, also while the server runs",
  usage: "[<file>]",
  optionalPositionals: 1,
  run: async (invocation) => {
    const { dataDir } = configOf(invocation);
    const now = invocation.clock.now();
    const [named] = invocation.positionals;
    const file = named === undefined ? join(backupFolder(dataDir), nameOf(now)) : resolve(named);
    const onProgress = progressOf(invocation.terminal, "Backing up");
    process.umask(0o077);
    if (named !== undefined) assertWritable(file);
    const place = placeIn(dataDir, file);
    const summary = place
      ? await withStore(invocation, async ({ config, database }) => {
          const to = join(config.dataDir, place);
          if (named === undefined) mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
          return writeBackup({ database, dataDir: config.dataDir, to, now, onProgress });
        })
      : await intoNewFile(file, (opened) =>
          withStore(invocation, ({ config, database }) =>
            writeBackupInto(opened, { database, dataDir: config.dataDir, now, onProgress }),
          ),
        );
    invocation.terminal.progress("");
    invocation.terminal.print({ file, ...summary }, [
      file,
      `${summaryLine(summary)}. Keep a copy elsewhere: it contains the keys and mails that wait.`,
    ]);
    return 0;
  },
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
    const onProgress = progressOf(invocation.terminal, "Restoring");
    process.umask(0o077);
    const summary = await readable(file, async () => {
      // The operator's file may be one that only root can read.
      using from = openBackup(file);
      return await asOwnerOf(dataDir, async () => {
        await openDataDir(dataDir);
        if (existsSync(join(dataDir, "hashing.key")))
          throw new CommandError(
            `${dataDir} belongs to an installation already. Set DATA_DIR to a new folder, or move this one away.`,
          );
        const unlock = config.databaseUrl === null ? await lockDataDir(dataDir) : () => {};
        return restoreBackup({
          from,
          engine: engineOf(config),
          dataDir,
          afterRestore: releaseAllLeases,
          onProgress,
        }).finally(unlock);
      });
    });
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
      const summary = await readable(file, async () => {
        using from = openBackup(file);
        return await restoreBackup({
          from,
          engine,
          dataDir: null,
          afterRestore: releaseAllLeases,
          onProgress,
        });
      });
      invocation.terminal.progress("");
      invocation.terminal.print(summary, [`The backup is whole: ${summaryLine(summary)}.`]);
      return 0;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

export const backupCommands: readonly Command[] = [backup, restore, verify];
