import { chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { NEVER } from "rxjs";
import type { KeyValueStorage } from "../../core/ports/storage.ts";

/** Only the user who runs the program reads what it keeps. */
const folderMode = 0o700;
const fileMode = 0o600;

const unlessMissing = <A>(work: () => A, missing: A): A => {
  try {
    return work();
  } catch {
    return missing;
  }
};

/** Writes a file that only this user reads; a reader sees the old or the new text, never a part. */
const writePrivateFile = (path: string, text: string): boolean =>
  unlessMissing(() => {
    const beside = `${path}.${process.pid}.new`;
    writeFileSync(beside, text, { mode: fileMode });
    chmodSync(beside, fileMode);
    renameSync(beside, path);
    return true;
  }, false);

/** Creates a folder that only this user reads. */
export const makePrivateFolder = (path: string): boolean =>
  unlessMissing(() => {
    mkdirSync(path, { recursive: true, mode: folderMode });
    return true;
  }, false);

const ending = ".txt";

/** Stores text in a folder, a file for each key. Every call reads the file, because other processes write it too. */
export const createFileStorage = (folder: string): KeyValueStorage => {
  const pathOf = (key: string): string => join(folder, `${encodeURIComponent(key)}${ending}`);
  return {
    read: (key) => unlessMissing(() => readFileSync(pathOf(key), "utf8"), null),
    write: (key, value) => makePrivateFolder(folder) && writePrivateFile(pathOf(key), value),
    remove: (key) => unlessMissing(() => rmSync(pathOf(key), { force: true }), undefined),
    keys: () =>
      unlessMissing(() => readdirSync(folder), [])
        .filter((name) => name.endsWith(ending))
        .map((name) => decodeURIComponent(name.slice(0, -ending.length))),
    changes$: NEVER,
  };
};
