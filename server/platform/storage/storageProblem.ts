import { errorCode } from "../errors/errorCode.ts";

/** The reason for which something could not be stored: there is no room, or the disk cannot be written. */
export type StorageProblem = "full" | "failed";

/** Codes of Node for files (POSIX), and of PostgreSQL. */
const problemsByCode: Readonly<Record<string, StorageProblem>> = {
  ENOSPC: "full",
  EDQUOT: "full",
  "53100": "full",
  EIO: "failed",
  EROFS: "failed",
  EFBIG: "failed",
  "58030": "failed",
};

/** Primary result codes of SQLite: SQLITE_FULL, SQLITE_IOERR and SQLITE_READONLY. */
const problemsOfSqlite: Readonly<Record<number, StorageProblem>> = { 13: "full", 10: "failed", 8: "failed" };
const primaryCodeMask = 0xff;

/** Thrown instead of storing new data in the room that deliveries and deletions need. */
export class NoRoom extends Error {
  readonly code = "ENOSPC";

  constructor() {
    super("the disk of DATA_DIR is almost full");
  }
}

/** Recognizes the errors of files and databases that end when the disk can be written again; null for others. */
export const storageProblemOf = (error: unknown): StorageProblem | null => {
  if (!(error instanceof Error)) return null;
  if ("errcode" in error && typeof error.errcode === "number")
    return problemsOfSqlite[error.errcode & primaryCodeMask] ?? null;
  return problemsByCode[errorCode(error)] ?? null;
};
