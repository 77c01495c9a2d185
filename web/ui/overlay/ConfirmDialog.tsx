import type { ReactNode } from "react";
import { Button } from "../Button.tsx";
import { ProblemBanner, type ProblemBannerProps } from "../feedback/ProblemBanner.tsx";
import { Dialog } from "./Dialog.tsx";

export interface ConfirmDialogProps {
  readonly isOpen: boolean;
  readonly title: string;
  /** Explains what happens on confirmation and what cannot be undone. */
  readonly children: ReactNode;
  /** The verb of the action: "Delete". */
  readonly confirmLabel: string;
  readonly pendingLabel?: string | undefined;
  readonly cancelLabel?: string | undefined;
  readonly isDanger?: boolean | undefined;
  readonly isPending?: boolean | undefined;
  /** The problem with which the action failed. */
  readonly problem?: ProblemBannerProps["problem"];
  readonly onConfirm: () => void;
  readonly onCancel: () => void;
}

/** Asks for confirmation before an action that cannot be undone. The cancel button has the initial focus. */
export const ConfirmDialog = ({
  isOpen,
  title,
  children,
  confirmLabel,
  pendingLabel,
  cancelLabel = "Cancel",
  isDanger = false,
  isPending = false,
  problem = null,
  onConfirm,
  onCancel,
}: ConfirmDialogProps) => (
  <Dialog
    isOpen={isOpen}
    onClose={onCancel}
    title={title}
    role="alertdialog"
    size="small"
    isPending={isPending}
    footer={
      <>
        <Button variant="secondary" onPress={onCancel} isDisabled={isPending} autoFocus>
          {cancelLabel}
        </Button>
        <Button
          variant={isDanger ? "danger" : "primary"}
          onPress={onConfirm}
          isPending={isPending}
          pendingLabel={pendingLabel}
        >
          {confirmLabel}
        </Button>
      </>
    }
  >
    {children}
    <ProblemBanner problem={problem} />
  </Dialog>
);
