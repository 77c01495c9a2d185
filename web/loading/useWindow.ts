import { useCallback, useEffect, useState } from "react";
import { useApp } from "../binding/useApp.ts";
import type { Chunk } from "./chunk.ts";
import { useChunk } from "./useChunk.ts";

/** By then a closed window has faded, and has tried to give the focus back to where it came from. */
const closedAfterMs = 400;

interface LateWindow<A> {
  /** What it was opened for last; `key` is another each time. null: it never was. */
  readonly wanted: { readonly about: A; readonly key: number } | null;
  readonly isOpen: boolean;
  readonly open: (about: A) => void;
  readonly close: () => void;
  /** What the window came from is going: it cannot have the focus back. */
  readonly lose: () => void;
}

/**
 * A window that is fetched when it is first opened, and kept from then on, so that the focus finds its way back.
 * `onLost` is called where it has none, because what it came from is gone.
 */
export const useWindow = <A>(chunk: Chunk<unknown>, onLost: () => void): LateWindow<A> => {
  const { toasts } = useApp();
  const [wanted, setWanted] = useState<{ readonly about: A; readonly key: number } | null>(null);
  const [isOpen, setOpen] = useState(false);
  const [isLost, setLost] = useState(false);
  const { isFailed, retry } = useChunk(chunk, wanted !== null);

  useEffect(() => {
    if (!isFailed || !isOpen) return;
    setOpen(false);
    toasts.show("error", "This window could not be loaded. Check your connection, then try again.");
  }, [isFailed, isOpen, toasts]);

  useEffect(() => {
    if (isOpen || !isLost) return;
    const wait = setTimeout(() => {
      setLost(false);
      if (document.activeElement === document.body) onLost();
    }, closedAfterMs);
    return () => clearTimeout(wait);
  }, [isOpen, isLost, onLost]);

  const open = useCallback(
    (about: A) => {
      setWanted((before) => ({ about, key: (before?.key ?? 0) + 1 }));
      setOpen(true);
      if (isFailed) retry();
    },
    [isFailed, retry],
  );
  const close = useCallback(() => setOpen(false), []);
  const lose = useCallback(() => setLost(true), []);
  return { wanted, isOpen, open, close, lose };
};
