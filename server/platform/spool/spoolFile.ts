import { randomBytes } from "node:crypto";
import { mkdir, readdir, unlink } from "node:fs/promises";
import { join } from "node:path";
import { errorCode } from "../errors/errorCode.ts";
import {
  close,
  decryptWith,
  encryptWith,
  open,
  readAt,
  syncData,
  syncFolder,
  writeAll,
} from "./encryptedFile.ts";
import { countPassedBytes } from "./passedBytes.ts";
import { Segments } from "./segments.ts";

/** The name and key of an encrypted spool file. */
export interface SpoolKey {
  readonly id: string;
  /** Hexadecimal. */
  readonly key: string;
}

/** A mail too large for memory: written once, encrypted, with the key in its row of the store. */
export interface SpoolFile extends SpoolKey {
  readonly append: (chunks: readonly Buffer[]) => Promise<void>;
  /** Syncs the file and its name to disk, and keeps the file after `close`. */
  readonly persist: () => Promise<void>;
  /** Has `close` delete the file again, because no row names it. */
  readonly forget: () => void;
  readonly read: () => AsyncIterable<Buffer>;
  /** Called when its writer is done; deletes the file unless it was persisted. */
  readonly close: () => Promise<void>;
}

/** The bytes of a file that survives the process; each iteration reads it again. */
export interface SpooledBytes extends AsyncIterable<Buffer> {
  readonly file: SpoolKey;
}

/** The folder with the content of large mails. */
export interface SpoolFolder {
  /** True if the files survive the process; otherwise their content must be stored elsewhere. */
  readonly isDurable: boolean;
  /** True if there is room on the disk beside what deliveries need. */
  readonly hasRoom: () => boolean;
  /** True if there is room for a mail in a file beside what small mail needs. */
  readonly hasRoomForLarge: () => boolean;
  readonly create: () => Promise<SpoolFile>;
  readonly read: (file: SpoolKey) => SpooledBytes;
  readonly remove: (id: string) => Promise<void>;
  /** For the content of smaller mail; null where files do not survive the process. */
  readonly segments: Segments | null;
  /** Deletes the files that no writer has open and no row names; `findNamed` returns which ones rows name. */
  readonly sweep: (findNamed: (ids: readonly string[]) => Promise<ReadonlySet<string>>) => Promise<void>;
}

const unlimited = { hasRoom: () => true, hasRoomForLarge: () => true };
const pieceBytes = 256 * 1024;
/** Files whose rows are looked for together. */
const sweptTogether = 500;
const fileName = /^[\w-]{1,64}$/;

async function* decrypt(file: number, key: string): AsyncIterable<Buffer> {
  const decipher = decryptWith(key);
  const buffer = Buffer.allocUnsafeSlow(pieceBytes);
  for (let at = 0; ; ) {
    const { bytesRead } = await readAt(file, buffer, 0, pieceBytes, at);
    if (bytesRead === 0) return;
    at += bytesRead;
    countPassedBytes(bytesRead);
    yield decipher.update(buffer.subarray(0, bytesRead));
  }
}

const removeFile = (path: string): Promise<void> =>
  unlink(path).catch((error: unknown) => {
    if (errorCode(error) !== "ENOENT") throw error;
  });

/**
 * Creates the spool of a data folder. With `isDurable` persisted files stay until removed; otherwise files are
 * unnamed and temporary. `room` tells whether new mail may be stored.
 */
export const createSpool = (
  dataDir: string,
  isDurable: boolean,
  room: Pick<SpoolFolder, "hasRoom" | "hasRoomForLarge"> = unlimited,
): SpoolFolder => {
  const folder = join(dataDir, "spool");
  const pathOf = (id: string): string => join(folder, id);
  /** Files that are being written, whose rows may not be stored yet. */
  const unfinished = new Set<string>();

  const create = async (): Promise<SpoolFile> => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const id = randomBytes(15).toString("base64url");
    const key = randomBytes(32);
    unfinished.add(id);
    const file = await open(pathOf(id), "wx+", 0o600).catch((error: unknown) => {
      unfinished.delete(id);
      throw error;
    });
    if (!isDurable) await unlink(pathOf(id));
    const cipher = encryptWith(key);
    let persisted = false;
    return {
      id,
      key: key.toString("hex"),
      append: (chunks) => {
        const encrypted = chunks.map((chunk) => cipher.update(chunk));
        for (const { length } of chunks) countPassedBytes(length);
        return writeAll(file, encrypted);
      },
      persist: async () => {
        await syncData(file);
        await syncFolder(folder);
        persisted = true;
      },
      forget: () => {
        persisted = false;
      },
      read: () => decrypt(file, key.toString("hex")),
      close: async () => {
        unfinished.delete(id);
        await close(file);
        if (isDurable && !persisted) await removeFile(pathOf(id));
      },
    };
  };

  return {
    isDurable,
    hasRoom: room.hasRoom,
    hasRoomForLarge: room.hasRoomForLarge,
    create,
    read: ({ id, key }) => ({
      file: { id, key },
      async *[Symbol.asyncIterator]() {
        const file = await open(pathOf(id), "r");
        try {
          yield* decrypt(file, key);
        } finally {
          await close(file);
        }
      },
    }),
    remove: (id) => removeFile(pathOf(id)),
    segments: isDurable ? new Segments(join(dataDir, "segments")) : null,
    sweep: async (findNamed) => {
      if (!isDurable) return;
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const written = (await readdir(folder)).filter((name) => fileName.test(name) && !unfinished.has(name));
      for (let start = 0; start < written.length; start += sweptTogether) {
        const names = written.slice(start, start + sweptTogether);
        const named = await findNamed(names);
        for (const name of names) if (!named.has(name)) await removeFile(pathOf(name));
      }
    },
  };
};
