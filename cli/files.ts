import { closeSync, fstatSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { buffer } from "node:stream/consumers";
import { exits, Stop, usageError } from "./exits.ts";

/** The largest file that is read, in bytes. */
const maxBytes = 100_000_000;

/** Reads a file, or the input for "-". */
export const readInput = async (path: string): Promise<Buffer> => {
  if (path === "-") {
    if (process.stdin.isTTY) throw usageError("Name a file, or pass its content to the input.");
    return buffer(process.stdin);
  }
  try {
    const file = openSync(path, "r");
    try {
      if (fstatSync(file).size > maxBytes) throw new Stop(exits.failed, `${path} is too large.`);
      return readFileSync(file);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (error instanceof Stop) throw error;
    throw new Stop(exits.notFound, `${path} cannot be read.`);
  }
};

const codeOf = (error: unknown): unknown =>
  error instanceof Error && "code" in error ? error.code : undefined;

/** The reason why something cannot be written, as the end of a sentence; empty when its code says nothing to people. */
export const reasonOf = (error: unknown): string => {
  const code = codeOf(error);
  if (code === "ENOSPC" || code === "EDQUOT") return ": the disk is full";
  return code === "EACCES" || code === "EPERM" || code === "EROFS" ? ": it is not allowed" : "";
};

/** Writes a file that must not exist yet. */
export const writeNewFile = (path: string, text: string): void => {
  try {
    writeFileSync(path, text, { flag: "wx" });
  } catch (error) {
    const exists = codeOf(error) === "EEXIST";
    throw new Stop(
      exits.failed,
      exists ? `${path} exists already.` : `${path} cannot be written${reasonOf(error)}.`,
    );
  }
};
