import type { ArrivingContent, BeginContent, ContentResult, MailContent } from "../smtp/rawMail.ts";
import { storageProblemOf } from "../storage/storageProblem.ts";
import type { SpoolFile, SpoolFolder } from "./spoolFile.ts";

/** Bytes of the largest mail that is kept in memory. */
export const maxBytesInMemory = 256 * 1024;

/** Bytes of all mails in memory at most; beyond, smaller ones go to the disk too. */
const maxBytesOfAll = 48 * 1024 * 1024;

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

/** Buffers one mail in memory, counted in the total of all. */
const createKept = (count: (bytes: number) => void) => {
  let chunks: Buffer[] = [];
  let length = 0;
  const set = (next: Buffer[]): void => {
    const bytes = next.reduce((sum, chunk) => sum + chunk.length, 0);
    count(bytes - length);
    chunks = next;
    length = bytes;
  };
  return {
    add: (chunk: Buffer): void => {
      chunks.push(chunk);
      length += chunk.length;
      count(chunk.length);
    },
    clear: () => set([]),
    all: (): Buffer => {
      const [only] = chunks;
      return chunks.length === 1 && only ? only : Buffer.concat(chunks, length);
    },
    /** Keeps only the header; returns whether it is complete, or too large to be useful. */
    reduceToHeader: (): boolean => {
      const all = Buffer.concat(chunks, length);
      const end = all.indexOf(emptyLine);
      set([end === -1 ? all : Buffer.from(all.subarray(0, end + emptyLine.length))]);
      return end !== -1 || length > maxHeadBytes;
    },
  };
};

/** Creates the function that receives mail: small ones in memory, others in an encrypted file. */
export const createBeginContent = (folder: SpoolFolder): BeginContent => {
  let bytesOfAll = 0;

  return (): ArrivingContent => {
    const kept = createKept((bytes) => {
      bytesOfAll += bytes;
    });
    let size = 0;
    let file: SpoolFile | null = null;
    let isHeaderComplete = false;
    let failure: "no-room" | "failed" | null = null;
    let writing: Promise<void> | null = null;
    let isOver = false;

    const end = async (): Promise<void> => {
      kept.clear();
      const ended = file;
      file = null;
      // A file that cannot be deleted now is deleted at the next start.
      await ended?.close().catch(() => {});
    };

    const append = async (chunk: Buffer): Promise<void> => {
      if (!isHeaderComplete) kept.add(chunk);
      if (file) await file.append(chunk);
      else {
        file = await folder.create();
        await file.append(kept.all());
      }
      isHeaderComplete ||= kept.reduceToHeader();
    };
    const write = async (chunk: Buffer): Promise<void> => {
      await append(chunk).catch((error: unknown) => {
        failure = storageProblemOf(error) === "full" ? "no-room" : "failed";
        kept.clear();
      });
      writing = null;
      if (isOver) await end();
    };

    const isForDisk = (chunk: Buffer): boolean =>
      file !== null || size > maxBytesInMemory || bytesOfAll + chunk.length > maxBytesOfAll;

    return {
      size: () => size,
      add: (chunk) => {
        if (failure || isOver) return null;
        size += chunk.length;
        if (!writing && !isForDisk(chunk)) {
          kept.add(chunk);
          return null;
        }
        writing = writing ? writing.then(() => write(chunk)) : write(chunk);
        return writing;
      },
      finish: () => {
        const result = (): ContentResult => {
          if (failure) return failure;
          const head = kept.all();
          return file ? contentInFile(file, folder, head, size) : { size, head, chunks: () => [head] };
        };
        return writing ? writing.then(result) : result();
      },
      discard: () => {
        if (isOver) return;
        isOver = true;
        if (!writing) void end();
      },
    };
  };
};
