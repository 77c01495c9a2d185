import { accessSync, constants, mkdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { usable } from "./unusable.ts";

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

/** Step by step: where a folder cannot have another one (/proc), Node's own recursive way never ends. */
const makeFolder = (path: string): void => {
  if (isFolder(path)) return;
  if (dirname(path) !== path) makeFolder(dirname(path));
  mkdirSync(path, { mode: 0o700 });
};

/** Makes the data folder and the outbox in it, for their owner alone; throws `BadSetting` when it cannot be written. */
export const openDataDir = (dataDir: string): Promise<void> =>
  usable(`DATA_DIR is ${JSON.stringify(dataDir)}; it wants a folder that can be made and written`, () => {
    makeFolder(join(dataDir, "outbox"));
    accessSync(dataDir, constants.W_OK);
  });
