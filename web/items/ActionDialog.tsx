import { useFormAction } from "../react/useAction.ts";
import { ConfirmDialog, type ConfirmDialogProps } from "../ui/overlay/ConfirmDialog.tsx";

export interface ActionDialogProps<A>
  extends Omit<ConfirmDialogProps, "isPending" | "problem" | "onConfirm" | "onCancel"> {
  readonly onClose: () => void;
  readonly action: Parameters<typeof useFormAction<[], A>>[0];
  /** Called when the action is done, in place of `onClose`. */
  readonly onDone?: (answer: A) => void;
}

/** Asks before a use case runs, and closes when it has succeeded. */
export const ActionDialog = <A,>(props: ActionDialogProps<A>) => {
  const { onClose, action, onDone = onClose, ...dialog } = props;
  const { run, isRunning, problem, clearProblem } = useFormAction(action, { onSuccess: onDone });
  const cancel = (): void => {
    clearProblem();
    onClose();
  };
  return (
    <ConfirmDialog
      {...dialog}
      isPending={isRunning}
      problem={problem}
      onConfirm={() => run()}
      onCancel={cancel}
    />
  );
};
