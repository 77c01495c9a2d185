import { type ReactNode, useCallback, useEffect, useLayoutEffect, useState } from "react";
import { Button } from "../ui/Button.tsx";
import { EmptyState } from "../ui/feedback/EmptyState.tsx";
import { RefreshIcon } from "../ui/icons/RefreshIcon.tsx";
import type { Chunk } from "./chunk.ts";
import { Guarded } from "./Guarded.tsx";
import styles from "./Lazy.module.css";

interface LoadFailureProps {
  /** The number of failures so far; from the second on a reload of the page is offered too. */
  readonly failures: number;
  readonly onRetry: () => void;
}

/** Replaces a part of the page that could not be loaded, and offers to try again (SH6). */
export const LoadFailure = ({ failures, onRetry }: LoadFailureProps) => (
  <div role="alert">
    <EmptyState
      title="This part of the page could not be loaded."
      action={
        <div className={styles.actions}>
          <Button onPress={onRetry} icon={<RefreshIcon size={18} />}>
            Try Again
          </Button>
          {failures > 1 && <Button onPress={() => window.location.reload()}>Refresh the page</Button>}
        </div>
      }
    >
      Check your connection, then try again. Nothing you saved is lost.
    </EmptyState>
  </div>
);

interface ChunkStatus<C> {
  readonly part: C | undefined;
  readonly isFailed: boolean;
  /** The number of failed loads since the component needed the chunk. */
  readonly failures: number;
  readonly retry: () => void;
}

/** Loads a chunk while `isNeeded`; tries a failed one again when the network comes back. A chunk that is already loaded is returned by the first render. */
export const useChunk = <C,>(chunk: Chunk<C>, isNeeded = true): ChunkStatus<C> => {
  const [attempt, setAttempt] = useState(0);
  const [failedAttempt, setFailedAttempt] = useState(-1);
  const [, setLoaded] = useState<Chunk<C> | undefined>(undefined);
  const part = chunk.loaded();
  const isMissing = part === undefined;

  useEffect(() => {
    if (!isNeeded || !isMissing) return;
    let isCurrent = true;
    chunk.load().then(
      () => isCurrent && setLoaded(chunk),
      () => isCurrent && setFailedAttempt(attempt),
    );
    return () => {
      isCurrent = false;
    };
  }, [chunk, isNeeded, isMissing, attempt]);

  const retry = useCallback(() => setAttempt((count) => count + 1), []);
  const isFailed = isNeeded && isMissing && failedAttempt === attempt;
  // A layout effect listens from the moment that the failure is shown.
  useLayoutEffect(() => {
    if (!isFailed) return;
    window.addEventListener("online", retry);
    return () => window.removeEventListener("online", retry);
  }, [isFailed, retry]);
  return {
    part,
    isFailed,
    failures: failedAttempt + 1,
    retry,
  };
};

interface LazyProps<C> {
  readonly chunk: Chunk<C>;
  /** The placeholder in the shape of the part, so that nothing moves when it appears. */
  readonly skeleton: ReactNode;
  readonly name?: string;
  readonly children: (part: C) => ReactNode;
}

/** Renders with a chunk; shows the skeleton while it loads and LoadFailure when it could not be loaded. */
export const Lazy = <C,>({ chunk, skeleton, name = "part", children }: LazyProps<C>) => {
  const { part, isFailed, failures, retry } = useChunk(chunk);
  if (isFailed) return <LoadFailure failures={failures} onRetry={retry} />;
  return <Guarded part={name}>{part === undefined ? skeleton : children(part)}</Guarded>;
};
