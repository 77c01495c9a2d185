import { asBuffer } from "../platform/spool/asBuffer.ts";
import type { MailContent } from "../platform/spool/mailContent.ts";
import type { SpooledBytes } from "../platform/spool/spoolFile.ts";

/** The bytes of a mail from an offset on, shared by its copies. */
export interface SharedBody {
  readonly content: MailContent;
  /** Offset where it starts: the header before it is replaced in the copies. */
  readonly skip: number;
}

/** The bytes for one recipient: its own head, and a body shared with other copies. */
export interface OutgoingCopy {
  readonly recipient: string;
  readonly head: Uint8Array;
  /** null when `head` is the whole mail. */
  readonly body: SharedBody | null;
}

type CopyBytes = Omit<OutgoingCopy, "recipient">;

/** True if all bytes of a mail are in memory. */
export const isInMemory = ({ size, head }: MailContent): boolean => size === head.length;

export const copySize = ({ head, body }: CopyBytes): number =>
  head.length + (body ? body.content.size - body.skip : 0);

/** Returns the bytes after the first `skip`. */
export async function* skipBytes(
  chunks: Iterable<Buffer> | AsyncIterable<Buffer>,
  skip: number,
): AsyncIterable<Buffer> {
  let left = skip;
  for await (const chunk of chunks) {
    if (chunk.length > left) yield chunk.subarray(left);
    left = Math.max(0, left - chunk.length);
  }
}

/** The bytes of a mail whose body is in a file of the spool, which any thread can read. */
export interface SpooledMail extends SpooledBytes {
  readonly head: Buffer;
  /** Bytes of the file that `head` replaces. */
  readonly skip: number;
}

export const isSpooled = (chunks: Iterable<Buffer> | AsyncIterable<Buffer>): chunks is SpooledMail =>
  "file" in chunks && "head" in chunks;

async function* headAndRest(head: Buffer, bytes: Iterable<Buffer> | AsyncIterable<Buffer>, skip: number) {
  yield head;
  yield* skipBytes(bytes, skip);
}

/** Returns a head and the bytes after the first `skip`; a `SpooledMail` where these are in a file. */
export const withHead = (
  head: Buffer,
  bytes: Iterable<Buffer> | AsyncIterable<Buffer>,
  skip: number,
): AsyncIterable<Buffer> | SpooledMail =>
  "file" in bytes
    ? {
        head,
        skip,
        file: (bytes as SpooledBytes).file,
        [Symbol.asyncIterator]: () => headAndRest(head, bytes, skip),
      }
    : headAndRest(head, bytes, skip);

/** Returns the bytes of a copy in order; an array when they are in memory. */
export const copyChunks = ({ head, body }: CopyBytes): Iterable<Buffer> | AsyncIterable<Buffer> => {
  const first = asBuffer(head);
  if (!body) return [first];
  return isInMemory(body.content)
    ? [first, body.content.head.subarray(body.skip)]
    : withHead(first, body.content.chunks(), body.skip);
};

/** Returns all bytes in one piece. */
export const toBuffer = async (chunks: Iterable<Buffer> | AsyncIterable<Buffer>): Promise<Buffer> => {
  const all: Buffer[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return all.length === 1 && all[0] ? all[0] : Buffer.concat(all);
};

/** Returns content that is in memory. */
export const contentOf = (head: Buffer): MailContent => ({ size: head.length, head, chunks: () => [head] });

/** Bytes of a copy that are in memory. */
export const bytesInMemory = ({ head, body }: OutgoingCopy): number =>
  head.length + (body && isInMemory(body.content) ? body.content.size : 0);

/** Bytes of a copy that a first attempt occupies, in memory or on the disk. */
export const bytesOnTheWay = (copy: OutgoingCopy): number => Math.max(bytesInMemory(copy), copySize(copy));
