import { Fragment, type RefObject } from "react";
import { Menu as AriaMenu, MenuItem as AriaMenuItem } from "react-aria-components/Menu";
import { Popover } from "react-aria-components/Popover";
import { Separator } from "react-aria-components/Separator";
import { classes } from "./classes.ts";
import type { MenuFocus, MenuItem } from "./menuItem.ts";
import styles from "./Popup.module.css";

export interface MenuPopupProps {
  readonly label: string;
  readonly items: readonly MenuItem[];
  readonly trigger: RefObject<HTMLElement | null>;
  /** Undefined: closed. */
  readonly focus: MenuFocus | undefined;
  readonly onClose: () => void;
  readonly onChoose: (item: MenuItem) => void;
}

/** The list a Menu opens. */
export const MenuPopup = ({ label, items, trigger, focus, onClose, onChoose }: MenuPopupProps) => (
  <Popover
    className={classes(styles.popup, styles.menu)}
    trigger="MenuTrigger"
    triggerRef={trigger}
    isOpen={focus !== undefined}
    onOpenChange={(isOpen) => {
      if (!isOpen) onClose();
    }}
    placement="bottom end"
    offset={4}
    aria-label={label}
  >
    <AriaMenu
      className={classes(styles.list)}
      aria-label={label}
      autoFocus={focus === undefined || focus === "menu" ? true : focus}
      onClose={onClose}
    >
      {items.map((item, at) => (
        <Fragment key={item.id}>
          {item.isDanger === true && at > 0 && items[at - 1]?.isDanger !== true && (
            <Separator className={classes(styles.separator)} />
          )}
          <AriaMenuItem
            id={item.id}
            textValue={item.label}
            isDisabled={item.isDisabled ?? false}
            className={classes(styles.item, item.isDanger === true && styles.danger)}
            onAction={() => onChoose(item)}
          >
            {item.icon !== undefined && <span className={styles.icon}>{item.icon}</span>}
            <span>{item.label}</span>
          </AriaMenuItem>
        </Fragment>
      ))}
    </AriaMenu>
  </Popover>
);
