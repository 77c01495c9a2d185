import type { Mask } from "../../core/masks/mask.ts";
import { useAction } from "../binding/useAction.ts";
import { useApp } from "../binding/useApp.ts";
import { ConfirmDialog } from "../ui/ConfirmDialog.tsx";
import { ProblemBanner } from "../ui/ProblemBanner.tsx";
import styles from "./MaskForm.module.css";
import { isGone, nameOf } from "./maskDialog.ts";

interface DeleteMaskDialogProps {
  readonly mask: Mask;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onRemoved: () => void;
}

/** Asks before a mask is deleted from its menu (MA4). */
export const DeleteMaskDialog = ({ mask, isOpen, onClose, onRemoved }: DeleteMaskDialogProps) => {
  const { masks } = useApp();
  const close = (): void => {
    onClose();
    onRemoved();
  };
  const remove = useAction(masks.remove, {
    onSuccess: close,
    onProblem: (problem) => {
      if (isGone(problem)) close();
    },
  });
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={`Delete ${nameOf(mask)}?`}
      confirmLabel="Delete mask"
      pendingLabel="Deleting…"
      isDanger
      isPending={remove.isRunning}
      onConfirm={() => remove.run(mask.id)}
      onCancel={onClose}
    >
      <p>
        Mail to <strong className={styles.address}>{mask.maskEmail}</strong> will be refused from now on, and
        its counts are gone. This cannot be undone. To stop its mail for a while, switch it off instead.
      </p>
      {remove.problem && !isGone(remove.problem) && <ProblemBanner problem={remove.problem} />}
    </ConfirmDialog>
  );
};
