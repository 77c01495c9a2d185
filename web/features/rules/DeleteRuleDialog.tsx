import { ConfirmDialog, type ConfirmDialogProps } from "../../ui/overlay/ConfirmDialog.tsx";

type DeleteRuleDialogProps = Pick<
  ConfirmDialogProps,
  "isOpen" | "isPending" | "problem" | "onConfirm" | "onCancel"
>;

/** Asks whether a rule is to be deleted. */
export const DeleteRuleDialog = (dialog: DeleteRuleDialogProps) => (
  <ConfirmDialog {...dialog} title="Delete rule?" confirmLabel="Delete" pendingLabel="Deleting…" isDanger>
    <p>Are you sure you want to delete this rule? This action cannot be undone.</p>
  </ConfirmDialog>
);
