import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { withSettingError } from "./configuredResources.ts";
import { SettingError } from "./settings.ts";

/** A process that ends needs some time; a service manager may start the next one meanwhile. */
const waitForEndMs = 3_000;
const busy = 5;

/** The open locks: one that is collected as garbage would be released. */
const locks = new Set<DatabaseSync>();

const lockFile = (file: string, waitMs: number): DatabaseSync => {
  const lock = new DatabaseSync(file, { timeout: waitMs });
  try {
    lock.exec("begin exclusive");
    return lock;
  } catch (error) {
    lock.close();
    throw error;
  }
};

const isBusy = (error: unknown): boolean =>
  error instanceof Error && "errcode" in error && error.errcode === busy;

/**
 * Takes the lock of a data folder with a SQLite database, which only one server may use; returns the function that
 * releases it. Waits up to `waitMs` for a server that is ending, then throws a `SettingError`. The lock is SQLite's own
 * on an empty file (fcntl), which the kernel releases at the end of the process, however it ends.
 */
export const lockDataDir = async (dataDir: string, waitMs = waitForEndMs): Promise<() => void> => {
  const folder = JSON.stringify(dataDir);
  const lock = await withSettingError(
    `DATA_DIR is ${folder}; expected a folder whose file system has locks`,
    () => {
      try {
        return lockFile(join(dataDir, "lock.db"), waitMs);
      } catch (error) {
        if (!isBusy(error)) throw error;
        throw new SettingError(
          `DATA_DIR is ${folder}; expected a folder that no other server uses; stop the other server first.`,
        );
      }
    },
  );
  locks.add(lock);
  return () => {
    if (locks.delete(lock)) lock.close();
  };
};
