import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";
import { type BackupBodies, createBackupBodies, moveBodiesToRows } from "../delivery/queue/backupBodies.ts";
import { type BodyReader, BodyUnavailable } from "../delivery/queue/bodyStore.ts";
import { createFileBodies } from "../delivery/queue/fileBodies.ts";
import { createObjectReader } from "../delivery/queue/objectBodies.ts";
import { prepareRestoredQueue } from "../delivery/queue/queueQueries.ts";
import { rowBodies } from "../delivery/queue/rowBodies.ts";
import { decryptBackup, encryptBackup, openPrivateKey } from "../platform/backup/backupEncryption.ts";
import { backupFolder, engineOf } from "../platform/backup/openStore.ts";
import { BackupError, openBackup } from "../platform/backup/readBackup.ts";
import { restoreBackup } from "../platform/backup/restoreBackup.ts";
import {
  type BackupSummary,
  intoNewFile,
  writeBackup,
  writeBackupInto,
} from "../platform/backup/writeBackup.ts";
import type { Config } from "../platform/config/config.ts";
import { openDataDir } from "../platform/config/configuredResources.ts";
import { lockDataDir } from "../platform/config/dataDirLock.ts";
import { S3Client } from "../platform/objects/s3Client.ts";
import { checkPublicKey } from "../platform/openpgp/checkPublicKey.ts";
import { createSpool } from "../platform/spool/spoolFile.ts";
import type { Db } from "../platform/store/database.ts";
import { sqliteEngine } from "../platform/store/sqlite.ts";
import { type Command, CommandError, type Invocation, type Terminal, UsageError } from "./command.ts";
import { asOwnerOf } from "./dataDirOwner.ts";
import { readOptionFile } from "./fileProblem.ts";
import { configOf, withStore } from "./store.ts";

const nameOf = (now: number, isEncrypted: boolean): string =>
  `bauta-${new Date(now).toISOString().slice(0, 19).replaceAll(":", "-")}.gz${isEncrypted ? ".pgp" : ""}`;

/** The names of `nameOf`, in which the time sorts. */
const ourName = /^bauta-\d{4}-\d\d-\d\dT[\d-]{8}\.gz(?:\.pgp)?$/;

/** Deletes the oldest backups of a folder but for `keep`; returns their names. */
const deleteOldest = (folder: string, keep: number): readonly string[] => {
  const names = readdirSync(folder)
    .filter((name) => ourName.test(name))
    .toSorted();
  const old = names.slice(0, Math.max(0, names.length - keep));
  for (const name of old) rmSync(join(folder, name));
  return old;
};

const keptMost = 10_000;

const keepOf = ({ text, positionals }: Invocation): number | null => {
  const given = text("keep");
  if (given === undefined) return null;
  if (positionals.length > 0)
    throw new UsageError("--keep is for backups in DATA_DIR/backups: name no file with it.");
  const keep = Number(given);
  if (!Number.isInteger(keep) || keep < 1 || keep > keptMost)
    throw new UsageError(`--keep is a number from 1 to ${keptMost}.`);
  return keep;
};

const readable = async <A>(file: string, work: () => Promise<A>): Promise<A> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof BackupError) throw new CommandError(`${file}: ${error.message}.`);
    throw error;
  }
};

/** Returns how to encrypt to the key of --encrypt-to; undefined without one. */
const encryptionOf = async ({ text, clock }: Invocation) => {
  const file = text("encrypt-to");
  if (file === undefined) return undefined;
  const key = await checkPublicKey(readOptionFile(file), new Date(clock.now()));
  if ("problem" in key) throw new CommandError(`${file}: ${key.problem}`);
  return encryptBackup(key.publicKey);
};

/** Returns how to decrypt with the key of --decrypt-with; null without one. */
const decryptionOf = async ({ text, terminal }: Invocation) => {
  const file = text("decrypt-with");
  const passphraseFile = text("passphrase-file");
  if (file === undefined) return null;
  const passphrase = async (): Promise<string> =>
    passphraseFile === undefined
      ? terminal.askSecret("Passphrase of the key")
      : readOptionFile(passphraseFile).replace(/\r?\n$/, "");
  return decryptBackup(await readable(file, () => openPrivateKey(readOptionFile(file), passphrase)));
};

const decryptionOptions = {
  "decrypt-with": {
    type: "string",
    value: "file",
    help: "private OpenPGP key that an encrypted backup needs",
  },
  "passphrase-file": {
    type: "string",
    value: "file",
    help: "file with the key's passphrase; asked for without it",
  },
} as const;

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
  if (isFolder(file))
    throw new CommandError(`${file} is a folder. Name a file in it, such as ${join(file, "bauta.gz")}.`);
  if (existsSync(file) && !statSync(file).isFile()) throw new CommandError(`${file} is no file. Name one.`);
  const folder = dirname(file);
  if (!isFolder(folder))
    throw new CommandError(`There is no folder ${folder}. Create it, or name another file.`);
};

/** Returns what reads the content of queued mail that is not in the database into a backup; null for files, which it has. */
const backupBodiesOf = ({ databaseUrl, bodyStore }: Config): BackupBodies | null => {
  if (databaseUrl === null) return null;
  return createBackupBodies(
    bodyStore ? createObjectReader({ objects: new S3Client(bodyStore), onDamaged: () => {} }) : rowBodies,
  );
};

const bodiesInFolder = (db: Db, dataDir: string): BodyReader =>
  createFileBodies({ db, transaction: (work) => db.transaction().execute(work) }, createSpool(dataDir, true));

const withBodies = async <A>(work: () => Promise<A>): Promise<A> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof BodyUnavailable) throw new CommandError(error.message);
    throw error;
  }
};

const missingLine = (missing: number): string =>
  `Mails that were delivered or deleted meanwhile, or are damaged: ${missing}. The backup lacks their content.`;

const backup: Command = {
  name: "backup",
  summary: "Back up the database and the keys, even while the server runs",
  usage: "[<file>] [--encrypt-to <file>] [--keep <number>]",
  optionalPositionals: 1,
  options: {
    "encrypt-to": {
      type: "string",
      value: "file",
      help: "public OpenPGP key that alone can open the backup",
    },
    keep: {
      type: "string",
      value: "number",
      help: "delete the oldest backups in DATA_DIR/backups beyond this number",
    },
  },
  run: async (invocation) => {
    const keep = keepOf(invocation);
    const encrypt = await encryptionOf(invocation);
    const config = configOf(invocation);
    const { dataDir } = config;
    const bodies = backupBodiesOf(config);
    const replaceRow = bodies?.replaceRow;
    const now = invocation.clock.now();
    const [named] = invocation.positionals;
    const file =
      named === undefined ? join(backupFolder(dataDir), nameOf(now, encrypt !== undefined)) : resolve(named);
    const onProgress = progressOf(invocation.terminal, "Backing up");
    process.umask(0o077);
    if (named !== undefined) assertWritable(file);
    const place = placeIn(dataDir, file);
    let deleted: readonly string[] = [];
    const write = () =>
      place
        ? withStore(invocation, async ({ config, database }) => {
            const to = join(config.dataDir, place);
            if (named === undefined) mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
            const written = await writeBackup({
              database,
              dataDir: config.dataDir,
              to,
              now,
              replaceRow,
              onProgress,
              encrypt,
            });
            if (keep !== null) deleted = deleteOldest(dirname(to), keep);
            return written;
          })
        : intoNewFile(file, (opened) =>
            withStore(invocation, ({ config, database }) =>
              writeBackupInto(opened, {
                database,
                dataDir: config.dataDir,
                now,
                replaceRow,
                onProgress,
                encrypt,
              }),
            ),
          );
    const summary = await withBodies(write);
    const missing = bodies?.missing() ?? 0;
    invocation.terminal.progress("");
    invocation.terminal.print({ file, ...summary, deleted }, [
      file,
      `${summaryLine(summary)}. ${
        encrypt
          ? "Keep a copy elsewhere."
          : "Keep a copy elsewhere: it contains the keys and mails that wait."
      }`,
      ...(missing > 0 ? [missingLine(missing)] : []),
      ...(deleted.length > 0 ? [`Deleted ${deleted.join(", ")}.`] : []),
    ]);
    return 0;
  },
};

const restore: Command = {
  name: "restore",
  summary: "Restore a backup into an empty data folder and database; the server must be stopped",
  usage: "<file> [--decrypt-with <file>]",
  positionals: 1,
  options: decryptionOptions,
  run: async (invocation) => {
    const [file = ""] = invocation.positionals;
    const decryption = await decryptionOf(invocation);
    const config = configOf(invocation);
    const { dataDir } = config;
    const { clock } = invocation;
    const onProgress = progressOf(invocation.terminal, "Restoring");
    process.umask(0o077);
    const summary = await readable(file, async () => {
      // The operator's file may be one that only root can read.
      using from = openBackup(file, decryption);
      return await asOwnerOf(dataDir, async () => {
        await openDataDir(dataDir);
        if (existsSync(join(dataDir, "hashing.key")))
          throw new CommandError(
            `${dataDir} belongs to an installation already. Set DATA_DIR to a new folder, or move this one away.`,
          );
        const unlock = config.databaseUrl === null ? await lockDataDir(dataDir) : () => {};
        return restoreBackup({
          from,
          engine: engineOf(config, invocation),
          dataDir,
          afterRestore: async (db) => {
            if (config.databaseUrl !== null) await moveBodiesToRows(db, bodiesInFolder(db, dataDir));
            await prepareRestoredQueue(db, clock.now());
          },
          onProgress,
        }).finally(unlock);
      });
    });
    invocation.terminal.progress("");
    invocation.terminal.print({ dataDir, ...summary }, [
      `Restored ${summaryLine(summary)}.`,
      "Start the server: it sends waiting mail when it is due, and sends again what was sent after the backup.",
    ]);
    return 0;
  },
};

const verify: Command = {
  name: "verify",
  summary: "Check a backup by restoring it into a temporary database",
  usage: "<file> [--decrypt-with <file>]",
  positionals: 1,
  options: decryptionOptions,
  run: async (invocation) => {
    const [file = ""] = invocation.positionals;
    const decryption = await decryptionOf(invocation);
    const { clock } = invocation;
    const folder = mkdtempSync(join(tmpdir(), "bauta-verify-"));
    try {
      const onProgress = progressOf(invocation.terminal, "Verifying");
      const engine = sqliteEngine(join(folder, "bauta.db"));
      const summary = await readable(file, async () => {
        using from = openBackup(file, decryption);
        return await restoreBackup({
          from,
          engine,
          dataDir: null,
          afterRestore: (db) => prepareRestoredQueue(db, clock.now()),
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
