import type { BeginContent, ContentResult } from "../../../server/platform/spool/mailContent.ts";

/** Limit of memory for mails being received, shared by all connections. */
export interface Memory {
  /** Reserves memory for these bytes; returns false when the limit is reached. */
  readonly reserve: (bytes: number) => boolean;
  readonly release: (bytes: number) => void;
  readonly beginContent: BeginContent;
}

/** Creates content in memory; all mails together have at most `capacity` bytes until they are discarded. */
export const createMemory = (capacity: number): Memory => {
  let reserved = 0;
  const reserve = (bytes: number): boolean => {
    if (reserved + bytes > capacity) return false;
    reserved += bytes;
    return true;
  };
  const release = (bytes: number): void => {
    reserved -= bytes;
  };
  const beginContent: BeginContent = () => {
    let pieces: Buffer[] | null = [];
    let size = 0;
    const free = (): void => {
      release(size);
      size = 0;
      pieces = null;
    };
    const finish = (): ContentResult => {
      if (!pieces) return "no-room";
      const [only] = pieces;
      const head = pieces.length === 1 && only ? only : Buffer.concat(pieces, size);
      return { size, head, chunks: () => [head] };
    };
    return {
      add: (chunk) => {
        if (!pieces) return null;
        if (!reserve(chunk.length)) {
          free();
          return null;
        }
        size += chunk.length;
        pieces.push(chunk);
        return null;
      },
      size: () => size,
      finish,
      discard: free,
    };
  };
  return { reserve, release, beginContent };
};
