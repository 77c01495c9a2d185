import { randomBytes } from "node:crypto";
import { mkdir, readdir, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
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

/** The place of a mail's content, and the key that reads it. */
export interface ContentPlace {
  readonly segment: string;
  readonly start: number;
  /** Bytes. */
  readonly length: number;
  /** Hexadecimal. */
  readonly key: string;
}

/** Contents that are on the disk. */
export interface StoredContents {
  /** A place for each content, in their order. */
  readonly places: readonly ContentPlace[];
  /** Called when the rows with the places are stored, or will not be. */
  readonly release: () => void;
}

export interface CompleteSegment {
  readonly name: string;
  /** Since something was last written to it. */
  readonly ageMs: number;
}

const nameBytes = 12;
const keyBytes = 32;
/** Smaller content makes as much garbage in the heap as in buffers, so that the collection of one frees both. */
const minCountedBytes = 32 * 1024;
/** A segment that is this long takes no more; it is deleted seconds after its last mail has left. */
const completeBytes = 32 * 1024 * 1024;

interface Segment {
  readonly name: string;
  readonly file: number;
  length: number;
  /** Contents whose rows are not stored yet. */
  pending: number;
  isComplete: boolean;
}

/**
 * Appends the content of new mail to files, so that many mails share one sync. Each content is encrypted with a key of
 * its own: deleting the row with the key makes it unreadable at once. A segment is deleted when no row refers to it. No
 * other process uses the folder.
 */
export class Segments {
  readonly #folder: string;
  readonly #own = new Map<string, Segment>();
  #current: Segment | null = null;
  #last: Promise<unknown> = Promise.resolve();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Appends contents and resolves when they survive a power cut; nothing of them is used when it rejects. */
  readonly store = (contents: readonly (readonly Buffer[])[]): Promise<StoredContents> => {
    const stored = this.#last.then(() => this.#storeNow(contents));
    this.#last = stored.catch(() => {});
    return stored;
  };

  readonly read = async ({ segment, start, length, key }: ContentPlace): Promise<Buffer> => {
    const file = await open(this.#pathOf(segment), "r");
    try {
      const bytes = Buffer.allocUnsafe(length);
      for (let done = 0; done < length; ) {
        const { bytesRead } = await readAt(file, bytes, done, length - done, start + done);
        if (bytesRead === 0) throw new Error("a segment ends before a stored mail does");
        done += bytesRead;
      }
      return decryptWith(key).update(bytes);
    } finally {
      await close(file);
    }
  };

  /** Returns the segments that take no more content, with those of an earlier process. */
  readonly listComplete = async (): Promise<readonly CompleteSegment[]> => {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const isInUse = (name: string): boolean => {
      const segment = this.#own.get(name);
      return segment !== undefined && (!segment.isComplete || segment.pending > 0);
    };
    const names = (await readdir(this.#folder)).filter((name) => !isInUse(name));
    return Promise.all(
      names.map(async (name) => ({ name, ageMs: Date.now() - (await stat(this.#pathOf(name))).mtimeMs })),
    );
  };

  /** Lets the segment in use take no more, so that its room is freed with its last mail. */
  readonly completeCurrent = (): Promise<void> => {
    const done = this.#last.then(() =>
      this.#current && this.#current.length > 0 ? this.#complete(this.#current) : undefined,
    );
    this.#last = done.catch(() => {});
    return done;
  };

  /** Deletes a segment that no row refers to. */
  readonly remove = async (name: string): Promise<void> => {
    await unlink(this.#pathOf(name));
    this.#own.delete(name);
  };

  #pathOf(name: string): string {
    return join(this.#folder, name);
  }

  async #create(): Promise<Segment> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const name = randomBytes(nameBytes).toString("base64url");
    const segment = {
      name,
      file: await open(this.#pathOf(name), "wx", 0o600),
      length: 0,
      pending: 0,
      isComplete: false,
    };
    this.#own.set(name, segment);
    await syncFolder(this.#folder);
    return segment;
  }

  async #complete(segment: Segment): Promise<void> {
    if (segment.isComplete) return;
    segment.isComplete = true;
    if (this.#current === segment) this.#current = null;
    await close(segment.file).catch(() => {});
  }

  /** Writes at the end of a segment; after an error, which may leave a part, nothing more is written to it. */
  async #append(segment: Segment, bytes: Buffer): Promise<void> {
    try {
      await writeAll(segment.file, [bytes]);
      await syncData(segment.file);
      segment.length += bytes.length;
    } catch (error) {
      await this.#complete(segment);
      throw error;
    }
  }

  async #storeNow(contents: readonly (readonly Buffer[])[]): Promise<StoredContents> {
    this.#current ??= await this.#create();
    const segment = this.#current;
    segment.pending += 1;
    const release = (): void => {
      segment.pending -= 1;
    };
    const places: ContentPlace[] = [];
    const pieces: Buffer[] = [];
    let start = segment.length;
    const keys = randomBytes(keyBytes * contents.length);
    for (const [n, chunks] of contents.entries()) {
      const key = keys.subarray(n * keyBytes, (n + 1) * keyBytes);
      const cipher = encryptWith(key);
      const encrypted = chunks.map((chunk) => cipher.update(chunk));
      const length = encrypted.reduce((sum, piece) => sum + piece.length, 0);
      pieces.push(...encrypted);
      if (length >= minCountedBytes) countPassedBytes(length);
      places.push({ segment: segment.name, start, length, key: key.toString("hex") });
      start += length;
    }
    try {
      await this.#append(segment, Buffer.concat(pieces));
    } catch (error) {
      release();
      throw error;
    }
    if (segment.length >= completeBytes) await this.#complete(segment);
    return { places, release };
  }
}
