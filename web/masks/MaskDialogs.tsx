import type { ReactNode } from "react";
import { makeChunk } from "../loading/chunk.ts";
import { useWindow } from "../loading/useWindow.ts";
import type { MaskDialog, OpenMaskDialog } from "./maskDialog.ts";

const windows = makeChunk(
  () => import("./MaskWindows.tsx"),
  (module) => module.MaskWindows,
);

interface MaskDialogs {
  readonly open: OpenMaskDialog;
  /** Fetches the windows' code, because one will be wanted soon. */
  readonly prepare: () => void;
  readonly dialogs: ReactNode;
}

/** The windows over the list of masks. `onLost` is called when the focus has nowhere to go back to. */
export const useMaskDialogs = (onLost: () => void): MaskDialogs => {
  const { wanted, isOpen, open, close, lose } = useWindow<MaskDialog>(windows, onLost);
  const Windows = windows.loaded();
  return {
    open,
    prepare: windows.prefetch,
    dialogs: Windows && wanted && (
      <Windows key={wanted.key} dialog={wanted.about} isOpen={isOpen} onClose={close} onRemoved={lose} />
    ),
  };
};
