import type { ComponentProps } from "react";
import type { Mask } from "../../../../core/masks/mask.ts";
import { useApp } from "../../../react/useApp.ts";
import type { MenuPopupOf } from "../../../ui/overlay/Menu.tsx";
import { MenuPopup } from "../../../ui/overlay/MenuPopup.tsx";
import {
  addressOf,
  doAction,
  labelOf,
  type MaskAction,
  type MaskActionName,
  maskActions,
} from "../maskActions.ts";
import type { OpenMaskDialog } from "../maskDialog.ts";

/** The mask of a menu, and what the items that open no page of their own do. */
export interface MaskMenuItems {
  readonly mask: Mask;
  readonly onOpen: OpenMaskDialog;
  readonly onCopy: () => void;
  readonly onPin: () => void;
  readonly onRename: () => void;
}

const inMenu: readonly MaskActionName[] = [
  "open",
  "copy",
  "link",
  "edit",
  "rename",
  "write",
  "destination",
  "rules",
  "block",
  "held",
  "pin",
  "delete",
];

/** The list of what can be done with a mask besides switching it. */
export const MaskMenu = ({ items, ...popup }: ComponentProps<MenuPopupOf<MaskMenuItems>>) => {
  const { mask, onOpen, onCopy, onPin, onRename } = items;
  const { page, toasts } = useApp();
  const copyLink = async (): Promise<void> => {
    const { _tag } = await page.copy(new URL(addressOf(maskActions.link, mask), location.href).href)();
    if (_tag === "Right") toasts.show("success", "Link copied");
    else toasts.show("error", "The browser does not allow copying");
  };
  const acts = { copy: onCopy, link: () => void copyLink(), pin: onPin, rename: onRename };
  return (
    <MenuPopup
      {...popup}
      placement="start top"
      items={inMenu.map((name) => {
        const action: MaskAction = maskActions[name];
        return {
          id: name,
          label: labelOf(action, mask),
          icon: <action.Icon size={18} />,
          isDanger: name === "delete",
          onSelect: () => doAction(action, mask, acts, onOpen),
        };
      })}
    />
  );
};
