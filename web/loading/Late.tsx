import type { ComponentType, ReactNode } from "react";
import { ChunkFailure } from "./ChunkFailure.tsx";
import type { Chunk } from "./chunk.ts";
import { useChunk } from "./useChunk.ts";

interface LateProps {
  readonly chunk: Chunk<ComponentType>;
  /** Has the shape of what is being fetched, so that nothing moves when it comes. */
  readonly skeleton: ReactNode;
}

/** A screen that is fetched when it is first shown; when it cannot be, a way to try again. */
export const Late = ({ chunk, skeleton }: LateProps) => {
  const { part: Screen, isFailed, failures, retry } = useChunk(chunk);
  if (Screen) return <Screen />;
  return isFailed ? <ChunkFailure failures={failures} onRetry={retry} /> : skeleton;
};
