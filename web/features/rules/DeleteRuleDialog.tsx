import type { Problem } from "../../../core/api/errorMessages.ts";
import { ProblemBanner } from "../../ui/feedback/ProblemBanner.tsx";
import { ConfirmDialog } from "../../ui/overlay/ConfirmDialog.tsx";

interface DeleteRuleDialogProps {
  readonly isOpen: boolean;
  readonly isPending: boolean;
  readonly problem?: Problem | null;
  readonly onConfirm: () => void;
  readonly onCancel: () => void;
}

/** Asks whether a rule is to be deleted. */
export const DeleteRuleDialog = ({ problem = null, ...dialog }: DeleteRuleDialogProps) => (
  <ConfirmDialog {...dialog} title="Delete rule?" confirmLabel="Delete" pendingLabel="Deleting…" isDanger>
    <p>Are you sure you want to delete this rule? This action cannot be undone.</p>
    <ProblemBanner problem={problem} />
  </ConfirmDialog>
);
