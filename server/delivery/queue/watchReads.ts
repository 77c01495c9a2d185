import { isSpooled } from "../outgoingCopy.ts";
import { BodyUnavailable } from "./bodyStore.ts";
import type { ReadCopy } from "./queuedContent.ts";

/** Content whose failed reads are known, whatever a transport makes of them. */
export interface WatchedReads {
  readonly read: ReadCopy;
  /** Returns why the content could not be read; null when all reads have succeeded so far. */
  readonly problem: () => BodyUnavailable | null;
}

export const watchReads = (read: ReadCopy): WatchedReads => {
  let problem: BodyUnavailable | null = null;
  const watched = async function* (bytes: Iterable<Buffer> | AsyncIterable<Buffer>) {
    try {
      yield* bytes;
    } catch (error) {
      if (error instanceof BodyUnavailable) problem = error;
      throw error;
    }
  };
  return {
    read: () => {
      const bytes = read();
      return Array.isArray(bytes) || isSpooled(bytes) ? bytes : watched(bytes);
    },
    problem: () => problem,
  };
};
