import { Fragment, type ReactNode, type RefObject } from "react";
import { Menu as AriaMenu, MenuItem as AriaMenuItem } from "react-aria-components/Menu";
import { Popover } from "react-aria-components/Popover";
import { Separator } from "react-aria-components/Separator";
import { classes } from "../classes.ts";
import styles from "./Popup.module.css";

/** One action of a menu. */
export interface MenuItem {
  readonly id: string;
  readonly label: string;
  readonly icon?: ReactNode;
  /** A destructive action: separated from the others and red. */
  readonly isDanger?: boolean | undefined;
  readonly isDisabled?: boolean | undefined;
  /** The item's address: it is a link, which the browser opens in another tab too. */
  readonly href?: string | undefined;
  /** The text at the end of the line, such as a count or a key. */
  readonly hint?: ReactNode;
  readonly onSelect?: (() => void) | undefined;
}

/** The place of the focus when the menu opens: its first or last item, or the menu itself when a pointer opened it. */
export type MenuFocus = "first" | "last" | "menu";

export interface MenuPopupProps {
  readonly label: string;
  readonly items: readonly MenuItem[];
  readonly trigger: RefObject<HTMLElement | null>;
  /** The place of the focus when the menu opens; undefined while it is closed. */
  readonly focus: MenuFocus | undefined;
  readonly onClose: () => void;
  readonly onChoose: (item: MenuItem) => void;
  /** The place beside the trigger; a menu that is too long for the room above and below stands at the start. */
  readonly placement?: "bottom end" | "start top";
}

/** The popup list of a Menu. */
export const MenuPopup = ({
  label,
  items,
  trigger,
  focus,
  onClose,
  onChoose,
  placement = "bottom end",
}: MenuPopupProps) => (
  <Popover
    className={classes(styles.popup, styles.menu)}
    trigger="MenuTrigger"
    triggerRef={trigger}
    isOpen={focus !== undefined}
    onOpenChange={(isOpen) => {
      if (!isOpen) onClose();
    }}
    placement={placement}
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
            {...(item.href === undefined ? { onAction: () => onChoose(item) } : { href: item.href })}
          >
            {item.icon !== undefined && <span className={styles.icon}>{item.icon}</span>}
            <span>{item.label}</span>
            {item.hint !== undefined && <span className={styles.hint}>{item.hint}</span>}
          </AriaMenuItem>
        </Fragment>
      ))}
    </AriaMenu>
  </Popover>
);
