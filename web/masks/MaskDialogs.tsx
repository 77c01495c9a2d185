import { type ReactNode, useCallback, useEffect, useState } from "react";
import { useApp } from "../binding/useApp.ts";
import { makeChunk } from "../loading/chunk.ts";
import { useChunk } from "../loading/useChunk.ts";
import type { MaskDialog, OpenMaskDialog } from "./maskDialog.ts";

const dialogsChunk = makeChunk(
  () => import("./MaskWindows.tsx"),
  (module) => module.MaskWindows,
);

/** By then a closed window has faded, and has tried to give the focus back to where it came from. */
const closedAfterMs = 400;

interface MaskDialogs {
  readonly open: OpenMaskDialog;
  /** Fetches the windows' code, because one will be wanted soon. */
  readonly prepare: () => void;
  readonly dialogs: ReactNode;
}

/**
 * The windows over the list: fetched when first pointed at, kept mounted so that the focus finds its way back.
 * `onLost` is called when it has none, because the card it came from is gone.
 */
export const useMaskDialogs = (onLost: () => void): MaskDialogs => {
  const { toasts } = useApp();
  const [wanted, setWanted] = useState<{ readonly dialog: MaskDialog; readonly count: number } | null>(null);
  const [isOpen, setOpen] = useState(false);
  const [isRemoved, setRemoved] = useState(false);
  const { part: Windows, isFailed, retry } = useChunk(dialogsChunk, wanted !== null);

  useEffect(() => {
    if (!isFailed || !isOpen) return;
    setOpen(false);
    toasts.show("error", "This window could not be loaded. Check your connection, then try again.");
  }, [isFailed, isOpen, toasts]);

  useEffect(() => {
    if (isOpen || !isRemoved) return;
    const wait = setTimeout(() => {
      setRemoved(false);
      if (document.activeElement === document.body) onLost();
    }, closedAfterMs);
    return () => clearTimeout(wait);
  }, [isOpen, isRemoved, onLost]);

  const open = useCallback(
    (dialog: MaskDialog) => {
      setWanted((before) => ({ dialog, count: (before?.count ?? 0) + 1 }));
      setOpen(true);
      if (isFailed) retry();
    },
    [isFailed, retry],
  );

  return {
    open,
    prepare: dialogsChunk.prefetch,
    dialogs: Windows && wanted && (
      <Windows
        key={wanted.count}
        dialog={wanted.dialog}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        onRemoved={() => setRemoved(true)}
      />
    ),
  };
};
