import { type FormEvent, type ReactNode, useId } from "react";
import { Dialog as AriaDialog } from "react-aria-components/Dialog";
import { Modal, ModalOverlay } from "react-aria-components/Modal";
import { classes } from "./classes.ts";
import styles from "./Dialog.module.css";
import { IconButton } from "./IconButton.tsx";
import { CloseIcon } from "./icons/CloseIcon.tsx";

export interface DialogProps {
  readonly isOpen: boolean;
  /** Asked for by Escape, the close button or a press beside the dialog. */
  readonly onClose: () => void;
  readonly title: string;
  readonly children: ReactNode;
  /** The buttons, the main one last. They stay in view while the body scrolls. */
  readonly footer?: ReactNode;
  /** With it body and footer are one form, and a submit button in the footer submits it. */
  readonly onSubmit?: (() => void) | undefined;
  readonly size?: "small" | "medium" | "large" | undefined;
  /** An alert dialog interrupts with a question. It has no close button and a press beside it does not close it. */
  readonly role?: "dialog" | "alertdialog" | undefined;
  /** Something is being saved: nothing closes the dialog until that is known. */
  readonly isPending?: boolean | undefined;
}

/**
 * A window over the page, a sheet from the lower edge below 768 px. While it is open the rest of the page is neither
 * reached by the keyboard nor read; the focus enters it (at the child with `autoFocus`, else at the dialog) and
 * returns to where it was when it closes.
 */
export const Dialog = ({
  isOpen,
  onClose,
  title,
  children,
  footer,
  onSubmit,
  size = "medium",
  role = "dialog",
  isPending = false,
}: DialogProps) => {
  const titleId = useId();
  const bodyId = useId();
  const isAlert = role === "alertdialog";
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
      className={classes(styles.overlay)}
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
          <header className={styles.header}>
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
          </header>
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
