import { type ReactNode, useCallback, useEffect, useState } from "react";
import { useApp } from "../binding/useApp.ts";
import { makeChunk } from "../loading/chunk.ts";
import { useChunk } from "../loading/useChunk.ts";
import type { MaskDialog, OpenMaskDialog } from "./maskDialog.ts";

const dialogsChunk = makeChunk(() => import("./MaskWindows.tsx").then((module) => module.MaskWindows));

interface MaskDialogs {
  readonly open: OpenMaskDialog;
  /** Fetches the windows' code, because one will be wanted soon. */
  readonly prepare: () => void;
  readonly dialogs: ReactNode;
}

/** The windows over the list: fetched when first pointed at, kept mounted so that the focus finds its way back. */
export const useMaskDialogs = (onRemoved: () => void): MaskDialogs => {
  const { toasts } = useApp();
  const [wanted, setWanted] = useState<{ readonly dialog: MaskDialog; readonly count: number } | null>(null);
  const [isOpen, setOpen] = useState(false);
  const { part: Windows, isFailed, retry } = useChunk(dialogsChunk, wanted !== null);

  useEffect(() => {
    if (!isFailed || !isOpen) return;
    setOpen(false);
    toasts.show("error", "This window could not be loaded. Check your connection, then try again.");
  }, [isFailed, isOpen, toasts]);

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
        onRemoved={onRemoved}
      />
    ),
  };
};
