import { closeSync, createReadStream, openSync, readSync } from "node:fs";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { errorCode } from "../errors/errorCode.ts";
import { type BackupHead, Line } from "./backupFormat.ts";

/** A file that is no backup, or not a complete one; `message` is for the operator. */
export class BackupError extends Error {}

const decode = (text: string, number: number): Line => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new BackupError(`line ${number} is damaged`);
  }
  const decoded = Line.decode(value);
  if (decoded._tag === "Left") throw new BackupError(`line ${number} is not of a backup of this version`);
  return decoded.right;
};

const readable = (error: unknown): Error => {
  if (error instanceof BackupError) return error;
  const code = errorCode(error);
  if (code === "ENOENT" || code === "ENOTDIR") return new BackupError("there is no such file");
  if (code === "EISDIR") return new BackupError("it is a folder");
  if (code === "EACCES") return new BackupError("this user may not read it");
  if (code.startsWith("Z_") || code === "ERR_STREAM_PREMATURE_CLOSE")
    return new BackupError("the file is damaged or not a backup");
  return error instanceof Error ? error : new Error(String(error));
};

/** An open backup, which can be read several times. */
export interface OpenBackup extends Disposable {
  readonly file: number;
  /** Decrypts it; null for one in clear. */
  readonly decrypt: Decrypt | null;
}

/** Turns what is encrypted into what was. */
export type Decrypt = (content: AsyncIterable<Uint8Array>) => Promise<Readable>;

/** The first byte of an OpenPGP message: a packet of tag 1, a session key encrypted to a public key. */
const isEncrypted = (begins: Buffer): boolean => [0x84, 0x85, 0x86, 0xc1].includes(begins[0] ?? 0);

const beginningOf = (file: number): Buffer => {
  const begins = Buffer.alloc(1);
  readSync(file, begins, 0, begins.length, 0);
  return begins;
};

/** Opens a backup; throws a `BackupError` when there is no such file, or when it is encrypted and `decrypt` is absent. */
export const openBackup = (path: string, decrypt: Decrypt | null = null): OpenBackup => {
  let file: number | undefined;
  try {
    file = openSync(path, "r");
    const opened = file;
    const encrypted = isEncrypted(beginningOf(opened));
    if (encrypted && !decrypt)
      throw new BackupError("it is encrypted; name the private key with --decrypt-with");
    return { file, decrypt: encrypted ? decrypt : null, [Symbol.dispose]: () => closeSync(opened) };
  } catch (error) {
    if (file !== undefined) closeSync(file);
    throw readable(error);
  }
};

const textLines = async function* (from: OpenBackup): AsyncIterable<string> {
  const file = createReadStream("", { fd: from.file, start: 0, autoClose: false });
  const gunzip = createGunzip();
  file.on("error", (error) => gunzip.destroy(error));
  const content = from.decrypt ? await from.decrypt(file) : file;
  content.on("error", (error) => gunzip.destroy(error));
  try {
    for await (const text of createInterface({
      input: content.pipe(gunzip),
      crlfDelay: Number.POSITIVE_INFINITY,
    }))
      yield text;
    if (gunzip.errored) throw gunzip.errored;
  } finally {
    content.unpipe(gunzip).pause();
    if (content !== file) content.destroy();
    file.pause();
    gunzip.destroy();
  }
};

/** Checks that the lines begin with a head and end with the right counts. */
const createCheck = () => {
  let lines = 0;
  let rows = 0;
  let files = 0;
  let isComplete = false;
  return {
    next: (line: Line): void => {
      lines += 1;
      if (lines === 1 && !("format" in line)) throw new BackupError("the file is not a backup");
      if ("row" in line) rows += 1;
      else if ("file" in line) files += 1;
      else if ("end" in line) {
        if (line.rows !== rows || line.files !== files) throw new BackupError("rows or files are missing");
        isComplete = true;
      }
    },
    end: (): void => {
      if (!isComplete) throw new BackupError("the backup is not complete: its end is missing");
    },
  };
};

/**
 * Reads a backup line by line. Rejects with a `BackupError` for a file that is no backup, damaged or
 * incomplete; discard what was read until then.
 */
export const readBackup = async function* (from: OpenBackup): AsyncIterable<Line> {
  const check = createCheck();
  let number = 0;
  try {
    for await (const text of textLines(from)) {
      number += 1;
      const line = decode(text, number);
      check.next(line);
      yield line;
    }
  } catch (error) {
    throw readable(error);
  }
  check.end();
};

/** Reads the head of a backup. */
export const readBackupHead = async (from: OpenBackup): Promise<BackupHead> => {
  for await (const line of readBackup(from)) if ("format" in line) return line;
  throw new BackupError("the file is not a backup");
};
