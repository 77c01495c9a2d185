import { storageProblemOf } from "../storage/storageProblem.ts";
import type { ArrivingContent, BeginContent, ContentResult, MailContent } from "./mailContent.ts";
import type { SpoolFile, SpoolFolder } from "./spoolFile.ts";

/** Bytes of the largest mail that is kept in memory. */
export const maxBytesInMemory = 256 * 1024;

/** Bytes of all mails in memory at most; beyond, smaller ones go to the disk too. */
const maxBytesOfAll = 48 * 1024 * 1024;

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

/**
 * Creates the function that receives mail: small ones in memory, others in an encrypted file. A mail that begins while
 * there is no room for it is refused.
 */
export const createBeginContent = (folder: SpoolFolder): BeginContent => {
  let bytesOfAll = 0;

  return (): ArrivingContent => {
    const kept = createKept((bytes) => {
      bytesOfAll += bytes;
    });
    let size = 0;
    let file: SpoolFile | null = null;
    let unwritten: Buffer[] = [];
    let unwrittenBytes = 0;
    let isHeaderComplete = false;
    let failure: "no-room" | "failed" | null = folder.hasRoom() ? null : "no-room";
    let writing: Promise<void> | null = null;
    let isOver = false;

    const takeUnwritten = (): readonly Buffer[] => {
      const taken = unwritten;
      bytesOfAll -= unwrittenBytes;
      [unwritten, unwrittenBytes] = [[], 0];
      return taken;
    };

    const end = async (): Promise<void> => {
      kept.clear();
      takeUnwritten();
      const ended = file;
      file = null;
      // A file that cannot be deleted now is deleted at the next start.
      await ended?.close().catch(() => {});
    };

    const append = async (chunks: readonly Buffer[]): Promise<void> => {
      if (!isHeaderComplete) for (const chunk of chunks) kept.add(chunk);
      if (file) await file.append(chunks);
      else {
        file = await folder.create();
        await file.append([kept.all()]);
      }
      isHeaderComplete ||= kept.reduceToHeader();
    };
    const write = async (): Promise<void> => {
      await append(takeUnwritten()).catch((error: unknown) => {
        failure = storageProblemOf(error) === "full" ? "no-room" : "failed";
        kept.clear();
        takeUnwritten();
      });
      writing = null;
      if (isOver) await end();
    };
    const startWrite = (): Promise<void> => {
      writing = write();
      return writing;
    };
    /** Ends with everything written that has arrived. */
    const writeRest = async (): Promise<void> => {
      await writing;
      if (unwritten.length > 0 && !isOver) await startWrite();
    };

    /** Keeps what arrives for the next write; returns a promise when more would take too much memory. */
    const keepForWrite = (chunk: Buffer): Promise<void> | null => {
      unwritten.push(chunk);
      unwrittenBytes += chunk.length;
      bytesOfAll += chunk.length;
      if (unwrittenBytes < bytesOfWrite && bytesOfAll <= maxBytesOfAll) return null;
      if (!writing) {
        void startWrite();
        return null;
      }
      return writing.then(() => {
        if (!isOver && !failure) void startWrite();
      });
    };

    const isForDisk = (chunk: Buffer): boolean =>
      file !== null ||
      writing !== null ||
      unwritten.length > 0 ||
      size > maxBytesInMemory ||
      bytesOfAll + chunk.length > maxBytesOfAll;

    return {
      size: () => size,
      add: (chunk) => {
        if (failure || isOver) return null;
        size += chunk.length;
        if (isForDisk(chunk)) return keepForWrite(chunk);
        kept.add(chunk);
        return null;
      },
      finish: () => {
        const result = (): ContentResult => {
          if (failure) return failure;
          const head = kept.all();
          return file ? contentInFile(file, folder, head, size) : { size, head, chunks: () => [head] };
        };
        return writing || unwritten.length > 0 ? writeRest().then(result) : result();
      },
      discard: () => {
        if (isOver) return;
        isOver = true;
        if (!writing) void end();
      },
    };
  };
};
