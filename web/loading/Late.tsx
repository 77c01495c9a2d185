import type { ComponentType, ReactNode } from "react";
import { ChunkFailure } from "./ChunkFailure.tsx";
import type { Chunk } from "./chunk.ts";
import { useChunk } from "./useChunk.ts";

interface LateProps<P> {
  readonly chunk: Chunk<ComponentType<P>>;
  /** Has the shape of what is being fetched, so that nothing moves when it comes. */
  readonly skeleton: ReactNode;
}

/** A screen that is fetched when it is first shown; when it cannot be, a way to try again. It takes the screen's own props. */
export const Late = <P extends object>({ chunk, skeleton, ...given }: LateProps<P> & P) => {
  const { part: Screen, isFailed, failures, retry } = useChunk(chunk);
  if (Screen) return <Screen {...(given as unknown as P)} />;
  return isFailed ? <ChunkFailure failures={failures} onRetry={retry} /> : skeleton;
};
