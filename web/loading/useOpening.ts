import { useCallback, useState } from "react";

/** A window that comes and goes. */
export interface Opening<A> {
  /**
   * What it was opened for last; `key` is another each time. null: it never was, and its code is not wanted. From then
   * on the window is kept, so that it can fade and the focus finds its way back.
   */
  readonly wanted: { readonly about: A; readonly key: number } | null;
  readonly isOpen: boolean;
  readonly open: (about: A) => void;
  readonly close: () => void;
}

/** Whether a window is open, and what about. */
export const useOpening = <A = void>(): Opening<A> => {
  const [wanted, setWanted] = useState<Opening<A>["wanted"]>(null);
  const [isOpen, setOpen] = useState(false);
  const open = useCallback((about: A) => {
    setWanted((before) => ({ about, key: (before?.key ?? 0) + 1 }));
    setOpen(true);
  }, []);
  const close = useCallback(() => setOpen(false), []);
  return { wanted, isOpen, open, close };
};
