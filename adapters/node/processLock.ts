import { closeSync, openSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Tabs } from "../../core/ports/tabs.ts";
import { makePrivateFolder } from "./fileStorage.ts";

const retryMs = 50;

const isTaken = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "EEXIST";

const tryTake = (path: string): boolean => {
  try {
    closeSync(openSync(path, "wx", 0o600));
    return true;
  } catch (error) {
    if (isTaken(error)) return false;
    // Where no file can be written, there is nothing that two processes could write.
    return true;
  }
};

/** Returns the time at which the present holder has taken the lock; null when nobody has it. */
const takenAt = (path: string): number | null => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? null;

/**
 * Runs one process at a time by a file in `folder`. A process that has waited long enough for the same holder takes
 * the lock over, because the holder was killed or is suspended.
 */
export const createProcessLock =
  (folder: string): Tabs["runExclusive"] =>
  async (name, { maxWaitMs }, work) => {
    makePrivateFolder(folder);
    const path = join(folder, `${encodeURIComponent(name)}.lock`);
    let holder = takenAt(path);
    let since = performance.now();
    let hadToWait = false;
    while (!tryTake(path)) {
      hadToWait = true;
      const now = takenAt(path);
      if (now !== holder) [holder, since] = [now, performance.now()];
      if (performance.now() - since >= maxWaitMs) {
        rmSync(path, { force: true });
        holder = null;
      } else await wait(retryMs);
    }
    try {
      return await work(hadToWait);
    } finally {
      rmSync(path, { force: true });
    }
  };
