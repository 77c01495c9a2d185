import { type FormEvent, type ReactNode, useId, useRef } from "react";
import { Dialog as AriaDialog } from "react-aria-components/Dialog";
import { Modal, ModalOverlay } from "react-aria-components/Modal";
import { classes } from "../classes.ts";
import { IconButton } from "../IconButton.tsx";
import { CloseIcon } from "../icons/CloseIcon.tsx";
import styles from "./Dialog.module.css";
import { useBackToClose } from "./useBackToClose.ts";
import { useDialogFocus } from "./useDialogFocus.ts";

export interface DialogProps {
  readonly isOpen: boolean;
  /** Called on Escape, on the close button and on a press outside the dialog. */
  readonly onClose: () => void;
  readonly title: string;
  readonly children: ReactNode;
  /** The buttons, the primary one last. They stay visible while the body scrolls. */
  readonly footer?: ReactNode;
  /** Wraps body and footer in one form, which a submit button in the footer submits. */
  readonly onSubmit?: (() => void) | undefined;
  readonly size?: "small" | "medium" | "large" | undefined;
  /** True if its upper edge stays where it is, whatever the height of its content. */
  readonly isFixed?: boolean;
  /** An alert dialog asks a question. It has no close button, and a press outside it does not close it. */
  readonly role?: "dialog" | "alertdialog" | undefined;
  /** A request is running: the dialog cannot be closed until it ends. */
  readonly isPending?: boolean | undefined;
}

const DialogHeader = ({ children }: { readonly children: ReactNode }) => {
  const header = useRef<HTMLElement>(null);
  useDialogFocus(header);
  return (
    <header className={styles.header} ref={header}>
      {children}
    </header>
  );
};

/**
 * A modal dialog; below 768 px it is a sheet at the lower edge. While it is open the rest of the page is hidden from
 * the keyboard and from screen readers. The focus moves to the child with `autoFocus`, else to the first field, else to the
 * dialog, and returns to where it came from when the dialog closes.
 */
export const Dialog = ({
  isOpen,
  onClose,
  title,
  children,
  footer,
  onSubmit,
  size = "medium",
  isFixed = false,
  role = "dialog",
  isPending = false,
}: DialogProps) => {
  const titleId = useId();
  const bodyId = useId();
  const isAlert = role === "alertdialog";
  useBackToClose(isOpen, () => {
    if (!isPending) onClose();
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    event.stopPropagation();
    onSubmit?.();
  };
  const content = (
    <>
      <div className={styles.body} id={bodyId}>
        {children}
      </div>
      {footer !== undefined && <footer className={styles.footer}>{footer}</footer>}
    </>
  );

  return (
    <ModalOverlay
      className={classes(styles.overlay, isFixed && styles.fixed)}
      isOpen={isOpen}
      isDismissable={!isAlert && !isPending}
      isKeyboardDismissDisabled={isPending}
      onOpenChange={(willBeOpen) => {
        if (!willBeOpen) onClose();
      }}
    >
      <Modal className={classes(styles.modal, styles[size])}>
        <AriaDialog
          role={role}
          className={classes(styles.dialog)}
          aria-labelledby={titleId}
          {...(isAlert ? { "aria-describedby": bodyId } : {})}
        >
          <DialogHeader>
            <h2 className={styles.title} id={titleId}>
              {title}
            </h2>
            {!isAlert && (
              <IconButton
                label="Close"
                icon={<CloseIcon />}
                size="small"
                isDisabled={isPending}
                onPress={onClose}
                className={styles.close}
              />
            )}
          </DialogHeader>
          {onSubmit === undefined ? (
            content
          ) : (
            <form className={styles.form} noValidate onSubmit={submit}>
              {content}
            </form>
          )}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
};
