import { useCallback, useEffect, useState } from "react";
import { useApp } from "../react/useApp.ts";
import { runUnlessUserActs } from "../ui/unlessUserActs.ts";
import type { Chunk } from "./chunk.ts";
import { useChunk } from "./Lazy.tsx";

/** The state of a dialog that is opened for a target. */
export interface Opening<A> {
  /**
   * The target of the last opening, null until the first; `key` differs each time. The dialog stays mounted after it
   * was closed, so that it can fade and return the focus.
   */
  readonly opened: { readonly target: A; readonly key: number } | null;
  readonly isOpen: boolean;
  readonly open: (target: A) => void;
  readonly close: () => void;
}

/** Manages whether a dialog is open. */
export const useOpening = <A = void>(): Opening<A> => {
  const [opened, setOpened] = useState<Opening<A>["opened"]>(null);
  const [isOpen, setOpen] = useState(false);
  const open = useCallback((target: A) => {
    setOpened((before) => ({ target, key: (before?.key ?? 0) + 1 }));
    setOpen(true);
  }, []);
  const close = useCallback(() => setOpen(false), []);
  return { opened, isOpen, open, close };
};

/** The toast for a part that could not be loaded. */
export const loadFailedText = "This dialog could not be loaded. Check your connection, then try again.";

/**
 * Manages a dialog that loads on first opening. A failure closes it and shows `failureText`; the next opening tries
 * again.
 */
export const useLazyOpening = <A = void>(chunk: Chunk<unknown>, failureText = loadFailedText): Opening<A> => {
  const { toasts } = useApp();
  const opening = useOpening<A>();
  const { opened, isOpen, open: openNow, close } = opening;
  const { isFailed, retry } = useChunk(chunk, opened !== null);

  useEffect(() => {
    if (!isFailed || !isOpen) return;
    close();
    toasts.show("error", failureText);
  }, [isFailed, isOpen, close, toasts, failureText]);

  const open = useCallback(
    (target: A) => {
      openNow(target);
      if (isFailed) retry();
    },
    [openNow, isFailed, retry],
  );
  return { ...opening, open };
};

/** After this time a closed dialog has faded and has tried to return the focus. */
const fadeMs = 400;

/**
 * Returns a function that has `run` called once the dialog is closed and has returned the focus, unless the user has
 * pressed something by then.
 */
export const useAfterClosing = (isOpen: boolean, run: () => void): (() => void) => {
  const [isRequested, setRequested] = useState(false);
  // A dialog that is opened again at once takes the focus itself.
  useEffect(() => {
    if (isOpen) setRequested(false);
  }, [isOpen]);
  useEffect(() => {
    if (isOpen || !isRequested) return;
    const drop = (): void => setRequested(false);
    const runOnce = (): void => {
      drop();
      run();
    };
    return runUnlessUserActs(fadeMs, runOnce, drop);
  }, [isOpen, isRequested, run]);
  return useCallback(() => setRequested(true), []);
};

/** Calls `onFocusLost` when a closed dialog cannot return the focus; `lose` says that its opener is removed. */
export const useFocusLoss = (isOpen: boolean, onFocusLost: () => void): { readonly lose: () => void } => {
  const check = useCallback(() => {
    if (document.activeElement === document.body) onFocusLost();
  }, [onFocusLost]);
  return { lose: useAfterClosing(isOpen, check) };
};
