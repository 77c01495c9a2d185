import { useCallback, useEffect, useState } from "react";
import type { Chunk } from "./chunk.ts";

/** A chunk as a component meets it: here, on its way, or failed. */
export interface ChunkStatus<C> {
  readonly part: C | undefined;
  readonly isFailed: boolean;
  /** How often fetching it has failed since this component wanted it. */
  readonly failures: number;
  readonly retry: () => void;
}

/** Fetches a chunk when `isWanted`. What is here already is here in the first drawing. */
export const useChunk = <C>(chunk: Chunk<C>, isWanted = true): ChunkStatus<C> => {
  const [attempt, setAttempt] = useState(0);
  const [failedAttempt, setFailedAttempt] = useState(-1);
  const [, setArrived] = useState<Chunk<C> | undefined>(undefined);
  const part = chunk.loaded();
  const isMissing = part === undefined;

  useEffect(() => {
    if (!isWanted || !isMissing) return;
    let isCurrent = true;
    chunk.fetch().then(
      () => isCurrent && setArrived(chunk),
      () => isCurrent && setFailedAttempt(attempt),
    );
    return () => {
      isCurrent = false;
    };
  }, [chunk, isWanted, isMissing, attempt]);

  const retry = useCallback(() => setAttempt((count) => count + 1), []);
  return {
    part,
    isFailed: isWanted && isMissing && failedAttempt === attempt,
    failures: failedAttempt + 1,
    retry,
  };
};
