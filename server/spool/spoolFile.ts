import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import * as fs from "node:fs";
import { mkdir, readdir, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

/** The name and key of an encrypted spool file. */
export interface SpoolKey {
  readonly id: string;
  /** Hexadecimal. */
  readonly key: string;
}

/** A mail too large for memory: written once, encrypted, with the key in its row of the store. */
export interface SpoolFile extends SpoolKey {
  readonly append: (chunk: Buffer) => Promise<void>;
  /** Syncs the file and its name to disk, and keeps the file after `close`. */
  readonly persist: () => Promise<void>;
  readonly read: () => AsyncIterable<Buffer>;
  /** Called when its writer is done; deletes the file unless it was persisted. */
  readonly close: () => Promise<void>;
}

/** The folder with the content of large mails. */
export interface SpoolFolder {
  /** Whether the files survive the process; otherwise their content must be stored elsewhere. */
  readonly isDurable: boolean;
  readonly create: () => Promise<SpoolFile>;
  readonly read: (file: SpoolKey) => AsyncIterable<Buffer>;
  readonly remove: (id: string) => Promise<void>;
  /** Deletes every other file that was last written before a moment. */
  readonly sweep: (names: ReadonlySet<string>, before: number) => Promise<void>;
}

// Descriptors, because an abandoned file handle ends the process, as when a reader stops in the middle.
const open = promisify(fs.open);
const close = promisify(fs.close);
const readAt = promisify(fs.read);
const write = promisify(fs.write);
const syncData = promisify(fs.fdatasync);
const syncAll = promisify(fs.fsync);

const cipherName = "aes-256-ctr";
const pieceBytes = 256 * 1024;
/** Each file has its own key, so the counter may always start at zero. */
const firstCounter = Buffer.alloc(16);
const fileName = /^[\w-]{1,64}$/;

async function* decrypt(file: number, key: string): AsyncIterable<Buffer> {
  const decipher = createDecipheriv(cipherName, Buffer.from(key, "hex"), firstCounter);
  for (let at = 0; ; ) {
    const buffer = Buffer.allocUnsafe(pieceBytes);
    const { bytesRead } = await readAt(file, buffer, 0, pieceBytes, at);
    if (bytesRead === 0) return;
    at += bytesRead;
    yield decipher.update(buffer.subarray(0, bytesRead));
  }
}

const writeAll = async (file: number, bytes: Buffer): Promise<void> => {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await write(file, bytes, done, bytes.length - done, null);
    done += bytesWritten;
  }
};

const removeFile = (path: string): Promise<void> =>
  unlink(path).catch((error: unknown) => {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
  });

/** Creates the spool. With `isDurable` persisted files stay until removed; otherwise files are unnamed and temporary. */
export const createSpoolFolder = (folder: string, isDurable: boolean): SpoolFolder => {
  const pathOf = (id: string): string => join(folder, id);
  const syncFolder = async (): Promise<void> => {
    const file = await open(folder, "r");
    await syncAll(file).finally(() => close(file));
  };

  const create = async (): Promise<SpoolFile> => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const [id, key] = [randomBytes(15).toString("base64url"), randomBytes(32)];
    const file = await open(pathOf(id), "wx+", 0o600);
    if (!isDurable) await unlink(pathOf(id));
    const cipher = createCipheriv(cipherName, key, firstCounter);
    let persisted = false;
    return {
      id,
      key: key.toString("hex"),
      append: (chunk) => writeAll(file, cipher.update(chunk)),
      persist: async () => {
        await syncData(file);
        await syncFolder();
        persisted = true;
      },
      read: () => decrypt(file, key.toString("hex")),
      close: async () => {
        await close(file);
        if (isDurable && !persisted) await removeFile(pathOf(id));
      },
    };
  };

  return {
    isDurable,
    create,
    read: async function* ({ id, key }) {
      const file = await open(pathOf(id), "r");
      try {
        yield* decrypt(file, key);
      } finally {
        await close(file);
      }
    },
    remove: (id) => removeFile(pathOf(id)),
    sweep: async (names, before) => {
      if (!isDurable) return;
      await mkdir(folder, { recursive: true, mode: 0o700 });
      for (const name of await readdir(folder)) {
        if (!fileName.test(name) || names.has(name)) continue;
        const { mtimeMs } = await stat(pathOf(name));
        if (mtimeMs < before) await removeFile(pathOf(name));
      }
    },
  };
};
