import type { Mask } from "../../core/masks/mask.ts";
import { useApp } from "../binding/useApp.ts";
import { CopyIcon } from "../ui/icons/CopyIcon.tsx";
import { EditIcon } from "../ui/icons/EditIcon.tsx";
import { TrashIcon } from "../ui/icons/TrashIcon.tsx";
import { Menu } from "../ui/Menu.tsx";
import { nameOf, type OpenMaskDialog } from "./maskDialog.ts";

interface MaskMenuProps {
  readonly mask: Mask;
  readonly onOpen: OpenMaskDialog;
  readonly onIntent: () => void;
  readonly onCopy: () => void;
}

/** What else can be done with a mask. */
export const MaskMenu = ({ mask, onOpen, onIntent, onCopy }: MaskMenuProps) => {
  const { toasts } = useApp();
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only fetches early what the menu inside leads to
    <span onPointerEnter={onIntent} onFocus={onIntent}>
      <Menu
        label={`Options for ${nameOf(mask)}`}
        onUnavailable={() =>
          toasts.show("error", "The menu could not be loaded. Check your connection, then refresh the page.")
        }
        items={[
          { id: "copy", label: "Copy mask", icon: <CopyIcon size={18} />, onSelect: onCopy },
          {
            id: "edit",
            label: "Edit mask",
            icon: <EditIcon size={18} />,
            onSelect: () => onOpen({ kind: "edit", mask }),
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
    </span>
  );
};
