import { type Cipheriv, createCipheriv, createDecipheriv, type Decipheriv } from "node:crypto";
import * as fs from "node:fs";
import { promisify } from "node:util";
import { isMainThread } from "node:worker_threads";

// NOTE: a `FileHandle` of node:fs/promises that is abandoned, as when a reader stops in the middle, ends the process; a
// descriptor does not.
export const open = promisify(fs.open);
export const close = promisify(fs.close);
export const syncData = promisify(fs.fdatasync);
const readLater = promisify(fs.read);
const writeTogether = promisify(fs.writev);
const syncAll = promisify(fs.fsync);

/**
 * Reads bytes at a position of a file. A thread beside the main one does not hand them over to the pool: mail is
 * mostly still in the page cache, and to copy it from there is faster.
 */
export const readAt: (
  ...read: readonly [file: number, buffer: Buffer, offset: number, length: number, position: number]
) => Promise<{ readonly bytesRead: number }> = isMainThread
  ? readLater
  : async (...read) => ({ bytesRead: fs.readSync(...read) });

const cipherName = "aes-256-ctr";
/** Each content has its own key, so the counter may always start at zero. */
const firstCounter = Buffer.alloc(16);

/** Encrypts one content with a key of its own. */
export const encryptWith = (key: Buffer): Cipheriv => createCipheriv(cipherName, key, firstCounter);

/** Decrypts a content; `key` is hexadecimal. */
export const decryptWith = (key: string): Decipheriv =>
  createDecipheriv(cipherName, Buffer.from(key, "hex"), firstCounter);

/** Returns the chunks after the first `done` bytes. */
const withoutFirst = (chunks: readonly Buffer[], done: number): readonly Buffer[] => {
  let left = done;
  return chunks.flatMap((chunk) => {
    const skipped = Math.min(left, chunk.length);
    left -= skipped;
    return skipped < chunk.length ? [chunk.subarray(skipped)] : [];
  });
};

/** Writes all bytes at the end of what was written to a file before. */
export const writeAll = async (file: number, chunks: readonly Buffer[]): Promise<void> => {
  for (let left = chunks; left.length > 0; ) {
    const { bytesWritten } = await writeTogether(file, left);
    left = withoutFirst(left, bytesWritten);
  }
};

/** Makes the names of new files survive a power cut. */
export const syncFolder = async (folder: string): Promise<void> => {
  const file = await open(folder, "r");
  await syncAll(file).finally(() => close(file));
};
