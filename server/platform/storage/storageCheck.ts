import { open, unlink } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../../../core/ports/clock.ts";
import { storageProblemOf } from "./storageProblem.ts";

/** Returns why nothing can be stored at the moment, as a sentence for the operator; null when all is well. */
export type CheckStorage = () => Promise<string | null>;

const repeatAfterMs = 3_000;
/** More than one mail of average size. */
const testBytes = 64 * 1024;

/** Writes, syncs and deletes a file. */
const writeFile = async (folder: string): Promise<void> => {
  const path = join(folder, ".write-test");
  const file = await open(path, "w", 0o600);
  try {
    await file.writeFile(Buffer.alloc(testBytes));
    await file.datasync();
  } finally {
    await file.close();
    await unlink(path);
  }
};

const full = (place: string): string =>
  `There is no room left on ${place}: free some. Nothing has to be restarted.`;

const describe = (what: string, error: unknown): string => {
  const problem = storageProblemOf(error);
  const place = what === "files" ? "the disk of DATA_DIR" : "the disk of the database";
  if (problem === "full") return full(place);
  if (problem === "failed") return `Writing to ${place} fails: see the system log.`;
  return `Writing to ${what === "files" ? "DATA_DIR" : "the database"} fails: see the log.`;
};

export interface StorageCheckDeps {
  readonly dataDir: string;
  /** True if there is room beside what deliveries need. */
  readonly hasRoom: () => boolean;
  /** Writes something small to the database. */
  readonly writeRow: () => Promise<void>;
  readonly clock: Pick<Clock, "now">;
}

/** Creates the check, which writes to the disk at most every 3 s, however often it is called. */
export const createStorageCheck = ({ dataDir, hasRoom, writeRow, clock }: StorageCheckDeps): CheckStorage => {
  const tryBoth = async (): Promise<string | null> => {
    if (!hasRoom()) return full("the disk of DATA_DIR");
    const failed = (what: string) => (error: unknown) => describe(what, error);
    const ofFiles = await writeFile(dataDir).then(() => null, failed("files"));
    return ofFiles ?? writeRow().then(() => null, failed("rows"));
  };
  let last: { readonly at: number; readonly result: Promise<string | null> } | null = null;
  return () => {
    const now = clock.now();
    if (last && now >= last.at && now - last.at < repeatAfterMs) return last.result;
    last = { at: now, result: tryBoth() };
    return last.result;
  };
};
