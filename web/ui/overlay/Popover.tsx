import { type ReactNode, type RefObject, useId, useState } from "react";
import { Dialog as AriaDialog } from "react-aria-components/Dialog";
import { Popover as AriaPopover } from "react-aria-components/Popover";
import { classes } from "../classes.ts";
import { Dialog } from "./Dialog.tsx";
import styles from "./Popover.module.css";
import popup from "./Popup.module.css";
import { useBackToClose } from "./useBackToClose.ts";

export interface PopoverProps {
  readonly isOpen: boolean;
  /** Called on Escape, on the back button and on a press outside the panel. */
  readonly onClose: () => void;
  readonly title: string;
  /** The button below which the panel opens and to which the focus returns. */
  readonly trigger: RefObject<HTMLElement | null>;
  /** Shows the panel as a sheet at the lower edge, for a narrow screen. */
  readonly isSheet: boolean;
  /** The buttons, the primary one last. They stay visible while the content scrolls. */
  readonly footer?: ReactNode;
  readonly children: ReactNode;
}

/** A panel with controls that opens below a button and closes without a question; on a narrow screen it is a sheet. */
export const Popover = ({ isOpen, onClose, title, trigger, isSheet, footer, children }: PopoverProps) => {
  const titleId = useId();
  // What is typed outlives a turned phone: the panel stays in the form in which it was opened.
  const [asSheet, setAsSheet] = useState(isSheet);
  if (!isOpen && asSheet !== isSheet) setAsSheet(isSheet);
  useBackToClose(isOpen && !asSheet, onClose);
  if (asSheet)
    return (
      <Dialog isOpen={isOpen} onClose={onClose} title={title} footer={footer}>
        {children}
      </Dialog>
    );
  return (
    <AriaPopover
      className={classes(popup.popup, styles.panel)}
      trigger="DialogTrigger"
      triggerRef={trigger}
      isOpen={isOpen}
      onOpenChange={(willBeOpen) => {
        if (!willBeOpen) onClose();
      }}
      placement="bottom end"
      offset={6}
    >
      <AriaDialog className={classes(styles.dialog)} aria-labelledby={titleId}>
        <div className={styles.content}>
          <h2 className={styles.title} id={titleId}>
            {title}
          </h2>
          {children}
        </div>
        {footer !== undefined && <footer className={styles.footer}>{footer}</footer>}
      </AriaDialog>
    </AriaPopover>
  );
};
