import { Button } from "../Button.tsx";
import { Dialog, type DialogProps } from "./Dialog.tsx";

export interface FormDialogProps
  extends Pick<DialogProps, "isOpen" | "onClose" | "title" | "size" | "isPending" | "children"> {
  readonly onSubmit: () => void;
  /** The label of the button that submits: "Add address". */
  readonly submitLabel: string;
  readonly pendingLabel?: string | undefined;
  readonly isDanger?: boolean | undefined;
  /** True while the form cannot be submitted yet. */
  readonly isIncomplete?: boolean | undefined;
}

/** A dialog with one form, which a button below it submits and another one leaves. */
export const FormDialog = ({
  submitLabel,
  pendingLabel,
  isDanger = false,
  isIncomplete = false,
  isPending = false,
  ...dialog
}: FormDialogProps) => (
  <Dialog
    {...dialog}
    isPending={isPending}
    footer={
      <>
        <Button onPress={dialog.onClose} isDisabled={isPending}>
          Cancel
        </Button>
        <Button
          type="submit"
          variant={isDanger ? "danger" : "primary"}
          isDisabled={isIncomplete}
          isPending={isPending}
          pendingLabel={pendingLabel}
        >
          {submitLabel}
        </Button>
      </>
    }
  />
);
