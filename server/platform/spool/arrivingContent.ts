import { storageProblemOf } from "../storage/storageProblem.ts";
import type { ArrivingContent, BeginContent, ContentResult, MailContent } from "./mailContent.ts";
import type { SpoolFile, SpoolFolder } from "./spoolFile.ts";

/** Bytes of the largest mail that is kept in memory. */
export const maxBytesInMemory = 256 * 1024;

/** Bytes of all mails in memory at most; beyond, smaller ones go to the disk too. */
export const maxBytesOfAll = 48 * 1024 * 1024;

/** Bytes of a mail that are written to the disk together; as many more may arrive meanwhile. */
const bytesOfWrite = 64 * 1024;

/** Bytes in memory at most of a mail on the disk: more than the largest header. */
const maxHeadBytes = 520 * 1024;

const emptyLine = Buffer.from("\r\n\r\n");

const files = new WeakMap<MailContent, SpoolFile>();

/** Returns the spool file of a mail's content; undefined when it is in memory. */
export const spoolFileOf = (content: MailContent): SpoolFile | undefined => files.get(content);

const contentInFile = (file: SpoolFile, folder: SpoolFolder, head: Buffer, size: number): MailContent => {
  // A durable file is reopened for each reading, because the writer's handle ends with the reply.
  const chunks = folder.isDurable ? () => folder.read(file) : file.read;
  const content: MailContent = { size, head, chunks };
  files.set(content, file);
  return content;
};

/** Counts the bytes of all mails in memory. */
class BytesOfAll {
  bytes = 0;
}

/** One mail in memory, counted in the total of all. */
class KeptBytes {
  readonly #ofAll: BytesOfAll;
  #chunks: Buffer[] = [];
  #length = 0;

  constructor(ofAll: BytesOfAll) {
    this.#ofAll = ofAll;
  }

  #set(next: Buffer[]): void {
    const bytes = next.reduce((sum, chunk) => sum + chunk.length, 0);
    this.#ofAll.bytes += bytes - this.#length;
    this.#chunks = next;
    this.#length = bytes;
  }

  add(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    this.#ofAll.bytes += chunk.length;
  }

  clear(): void {
    this.#set([]);
  }

  all(): Buffer {
    const [only] = this.#chunks;
    return this.#chunks.length === 1 && only ? only : Buffer.concat(this.#chunks, this.#length);
  }

  /** Keeps only the header; returns whether it is complete, or too large to be useful. */
  reduceToHeader(): boolean {
    const all = Buffer.concat(this.#chunks, this.#length);
    const end = all.indexOf(emptyLine);
    this.#set([end === -1 ? all : Buffer.from(all.subarray(0, end + emptyLine.length))]);
    return end !== -1 || this.#length > maxHeadBytes;
  }
}

/** One mail while it arrives. */
class SpooledContent implements ArrivingContent {
  readonly #folder: SpoolFolder;
  readonly #ofAll: BytesOfAll;
  readonly #kept: KeptBytes;
  #size = 0;
  #file: SpoolFile | null = null;
  #unwritten: Buffer[] = [];
  #unwrittenBytes = 0;
  #isHeaderComplete = false;
  #failure: "no-room" | "failed" | null;
  #writing: Promise<void> | null = null;
  #isOver = false;

  constructor(folder: SpoolFolder, ofAll: BytesOfAll) {
    this.#folder = folder;
    this.#ofAll = ofAll;
    this.#kept = new KeptBytes(ofAll);
    this.#failure = folder.hasRoom() ? null : "no-room";
  }

  size(): number {
    return this.#size;
  }

  add(chunk: Buffer): Promise<void> | null {
    if (this.#failure || this.#isOver) return null;
    this.#size += chunk.length;
    if (this.#isForDisk(chunk)) return this.#keepForWrite(chunk);
    this.#kept.add(chunk);
    return null;
  }

  finish(): ContentResult | Promise<ContentResult> {
    return this.#writing || this.#unwritten.length > 0
      ? this.#writeRest().then(() => this.#result())
      : this.#result();
  }

  discard(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (!this.#writing) void this.#end();
  }

  #result(): ContentResult {
    if (this.#failure) return this.#failure;
    const head = this.#kept.all();
    return this.#file
      ? contentInFile(this.#file, this.#folder, head, this.#size)
      : { size: this.#size, head, chunks: () => [head] };
  }

  #takeUnwritten(): readonly Buffer[] {
    const taken = this.#unwritten;
    this.#ofAll.bytes -= this.#unwrittenBytes;
    [this.#unwritten, this.#unwrittenBytes] = [[], 0];
    return taken;
  }

  async #end(): Promise<void> {
    this.#kept.clear();
    this.#takeUnwritten();
    const ended = this.#file;
    this.#file = null;
    // A file that cannot be deleted now is deleted at the next start.
    await ended?.close().catch(() => {});
  }

  async #append(chunks: readonly Buffer[]): Promise<void> {
    if (!this.#isHeaderComplete) for (const chunk of chunks) this.#kept.add(chunk);
    if (this.#file) await this.#file.append(chunks);
    else {
      this.#file = await this.#folder.create();
      await this.#file.append([this.#kept.all()]);
    }
    this.#isHeaderComplete ||= this.#kept.reduceToHeader();
  }

  #fail(failure: "no-room" | "failed"): void {
    this.#failure = failure;
    this.#kept.clear();
    this.#takeUnwritten();
  }

  async #write(): Promise<void> {
    if (this.#folder.hasRoomForLarge())
      await this.#append(this.#takeUnwritten()).catch((error: unknown) =>
        this.#fail(storageProblemOf(error) === "full" ? "no-room" : "failed"),
      );
    else this.#fail("no-room");
    this.#writing = null;
    if (this.#isOver) await this.#end();
  }

  #startWrite(): Promise<void> {
    this.#writing = this.#write();
    return this.#writing;
  }

  /** Ends with everything written that has arrived. */
  async #writeRest(): Promise<void> {
    await this.#writing;
    if (this.#unwritten.length > 0 && !this.#isOver) await this.#startWrite();
  }

  /** Keeps what arrives for the next write; returns a promise when more would take too much memory. */
  #keepForWrite(chunk: Buffer): Promise<void> | null {
    this.#unwritten.push(chunk);
    this.#unwrittenBytes += chunk.length;
    this.#ofAll.bytes += chunk.length;
    if (this.#unwrittenBytes < bytesOfWrite && this.#ofAll.bytes <= maxBytesOfAll) return null;
    if (!this.#writing) {
      void this.#startWrite();
      return null;
    }
    return this.#writing.then(() => {
      if (!this.#isOver && !this.#failure) void this.#startWrite();
    });
  }

  #isForDisk(chunk: Buffer): boolean {
    return (
      this.#file !== null ||
      this.#writing !== null ||
      this.#unwritten.length > 0 ||
      this.#size > maxBytesInMemory ||
      this.#ofAll.bytes + chunk.length > maxBytesOfAll
    );
  }
}

/**
 * Creates the function that receives mail: small ones in memory, others in an encrypted file. A mail that begins while
 * there is no room for it is refused.
 */
export const createBeginContent = (folder: SpoolFolder): BeginContent => {
  const ofAll = new BytesOfAll();
  return () => new SpooledContent(folder, ofAll);
};
