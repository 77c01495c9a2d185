import type { ComponentProps } from "react";
import type { Mask } from "../../../../core/masks/mask.ts";
import { addressText } from "../../../navigation/address.ts";
import { goTo, openPage } from "../../../navigation/goTo.ts";
import { useApp } from "../../../react/useApp.ts";
import { CopyIcon } from "../../../ui/icons/CopyIcon.tsx";
import { EditIcon } from "../../../ui/icons/EditIcon.tsx";
import { MailIcon } from "../../../ui/icons/MailIcon.tsx";
import { MaskIcon } from "../../../ui/icons/MaskIcon.tsx";
import { PinIcon } from "../../../ui/icons/PinIcon.tsx";
import { PlusIcon } from "../../../ui/icons/PlusIcon.tsx";
import { RulesIcon } from "../../../ui/icons/RulesIcon.tsx";
import { ShieldIcon } from "../../../ui/icons/ShieldIcon.tsx";
import { TrashIcon } from "../../../ui/icons/TrashIcon.tsx";
import type { MenuPopupOf } from "../../../ui/overlay/Menu.tsx";
import { MenuPopup } from "../../../ui/overlay/MenuPopup.tsx";
import type { OpenMaskDialog } from "../maskDialog.ts";

/** The mask of a menu, and what the items that open no page of their own do. */
export interface MaskMenuItems {
  readonly mask: Mask;
  readonly onOpen: OpenMaskDialog;
  readonly onCopy: () => void;
  readonly onPin: () => void;
  readonly onRename: () => void;
}

/** The list of what can be done with a mask besides switching it. */
export const MaskMenu = ({ items, ...popup }: ComponentProps<MenuPopupOf<MaskMenuItems>>) => {
  const { mask, onOpen, onCopy, onPin, onRename } = items;
  const { page, toasts } = useApp();
  const copyLink = async (): Promise<void> => {
    const { _tag } = await page.copy(new URL(addressText(["masks", mask.id]), location.href).href)();
    if (_tag === "Right") toasts.show("success", "Link copied");
    else toasts.show("error", "The browser does not allow copying");
  };
  return (
    <MenuPopup
      {...popup}
      items={[
        {
          id: "open",
          label: "Open",
          icon: <MaskIcon size={18} />,
          onSelect: () => openPage(addressText(["mask"], { id: mask.id })),
        },
        { id: "copy", label: "Copy mask", icon: <CopyIcon size={18} />, onSelect: onCopy },
        { id: "link", label: "Copy link", icon: <CopyIcon size={18} />, onSelect: copyLink },
        {
          id: "edit",
          label: "Edit mask",
          icon: <EditIcon size={18} />,
          onSelect: () => onOpen({ kind: "edit", mask }),
        },
        { id: "rename", label: "Rename", icon: <EditIcon size={18} />, onSelect: onRename },
        {
          id: "correspondents",
          label: "Reply or write",
          icon: <MailIcon size={18} />,
          onSelect: () => onOpen({ kind: "correspondents", mask }),
        },
        {
          id: "destination",
          label: "Add destination",
          icon: <PlusIcon size={18} />,
          onSelect: () => onOpen({ kind: "destination", mask }),
        },
        {
          id: "rules",
          label: "Rules",
          icon: <RulesIcon size={18} />,
          onSelect: () => goTo(addressText(["rules", mask.id])),
        },
        {
          id: "block",
          label: "Block a sender",
          icon: <ShieldIcon size={18} />,
          onSelect: () => onOpen({ kind: "block", mask }),
        },
        {
          id: "held",
          label: "Held mail",
          icon: <MailIcon size={18} />,
          onSelect: () => openPage(addressText(["held"], { mask: mask.id })),
        },
        {
          id: "pin",
          label: mask.pinned ? "Unpin mask" : "Pin mask",
          icon: <PinIcon size={18} />,
          onSelect: onPin,
        },
        {
          id: "delete",
          label: "Delete mask",
          icon: <TrashIcon size={18} />,
          isDanger: true,
          onSelect: () => onOpen({ kind: "delete", mask }),
        },
      ]}
    />
  );
};
