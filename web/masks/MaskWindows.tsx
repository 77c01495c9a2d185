import { CreateMaskDialog } from "./CreateMaskDialog.tsx";
import { DeleteMaskDialog } from "./DeleteMaskDialog.tsx";
import { EditMaskDialog } from "./EditMaskDialog.tsx";
import type { MaskDialog } from "./maskDialog.ts";

interface MaskWindowsProps {
  readonly dialog: MaskDialog;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** The mask is gone, and with it whatever had the focus before. */
  readonly onRemoved: () => void;
}

/** The window that was asked for. */
export const MaskWindows = ({ dialog, isOpen, onClose, onRemoved }: MaskWindowsProps) => {
  if (dialog.kind === "create") return <CreateMaskDialog isOpen={isOpen} onClose={onClose} />;
  const remaining = { mask: dialog.mask, isOpen, onClose, onRemoved };
  return dialog.kind === "edit" ? <EditMaskDialog {...remaining} /> : <DeleteMaskDialog {...remaining} />;
};
