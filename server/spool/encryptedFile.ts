import { type Cipheriv, createCipheriv, createDecipheriv, type Decipheriv } from "node:crypto";
import * as fs from "node:fs";
import { promisify } from "node:util";

// Descriptors, because an abandoned file handle ends the process, as when a reader stops in the middle.
export const open = promisify(fs.open);
export const close = promisify(fs.close);
export const readAt = promisify(fs.read);
export const syncData = promisify(fs.fdatasync);
const write = promisify(fs.write);
const syncAll = promisify(fs.fsync);

const cipherName = "aes-256-ctr";
/** Each content has its own key, so the counter may always start at zero. */
const firstCounter = Buffer.alloc(16);

/** Encrypts one content with a key of its own. */
export const encryptWith = (key: Buffer): Cipheriv => createCipheriv(cipherName, key, firstCounter);

/** Decrypts a content; `key` is hexadecimal. */
export const decryptWith = (key: string): Decipheriv =>
  createDecipheriv(cipherName, Buffer.from(key, "hex"), firstCounter);

/** Writes all bytes at the end of what was written to a file before. */
export const writeAll = async (file: number, bytes: Buffer): Promise<void> => {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await write(file, bytes, done, bytes.length - done, null);
    done += bytesWritten;
  }
};

/** Makes the names of new files survive a power cut. */
export const syncFolder = async (folder: string): Promise<void> => {
  const file = await open(folder, "r");
  await syncAll(file).finally(() => close(file));
};
