import { type ReactNode, type RefObject, useId } from "react";
import { Dialog as AriaDialog } from "react-aria-components/Dialog";
import { Popover } from "react-aria-components/Popover";
import { classes } from "../classes.ts";
import { Dialog } from "./Dialog.tsx";
import popup from "./Popup.module.css";
import styles from "./PopupPanel.module.css";

export interface PopupPanelProps {
  readonly isOpen: boolean;
  /** Called on Escape and on a press outside the panel. */
  readonly onClose: () => void;
  readonly title: string;
  /** The button below which the panel opens and to which the focus returns. */
  readonly trigger: RefObject<HTMLElement | null>;
  /** Shows the panel as a sheet at the lower edge, for a narrow screen. */
  readonly isSheet: boolean;
  readonly children: ReactNode;
}

/** A panel that opens below a button of the header. */
export const PopupPanel = ({ isOpen, onClose, title, trigger, isSheet, children }: PopupPanelProps) => {
  const titleId = useId();
  if (isSheet)
    return (
      <Dialog isOpen={isOpen} onClose={onClose} title={title}>
        {children}
      </Dialog>
    );
  return (
    <Popover
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
        <h2 className={styles.title} id={titleId}>
          {title}
        </h2>
        {children}
      </AriaDialog>
    </Popover>
  );
};
