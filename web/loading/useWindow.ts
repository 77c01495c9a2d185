import { useCallback, useEffect, useState } from "react";
import type { Chunk } from "./chunk.ts";
import { useLateOpening } from "./useLateOpening.ts";
import type { Opening } from "./useOpening.ts";

/** By then a closed window has faded, and has tried to give the focus back to where it came from. */
const closedAfterMs = 400;

interface LateWindow<A> extends Opening<A> {
  /** What the window came from is going: it cannot have the focus back. */
  readonly lose: () => void;
}

/**
 * A window that is fetched when it is first opened. `onLost` is called where the focus does not find its way back from
 * it, because what it came from is gone.
 */
export const useWindow = <A>(chunk: Chunk<unknown>, onLost: () => void): LateWindow<A> => {
  const opening = useLateOpening<A>(
    chunk,
    "This window could not be loaded. Check your connection, then try again.",
  );
  const { isOpen } = opening;
  const [isLost, setLost] = useState(false);

  useEffect(() => {
    if (isOpen || !isLost) return;
    const wait = setTimeout(() => {
      setLost(false);
      if (document.activeElement === document.body) onLost();
    }, closedAfterMs);
    return () => clearTimeout(wait);
  }, [isOpen, isLost, onLost]);

  const lose = useCallback(() => setLost(true), []);
  return { ...opening, lose };
};
