import { maskName } from "../../../../core/masks/maskListSettings.ts";
import { useApp } from "../../../react/useApp.ts";
import { LazyMenu } from "../../../ui/overlay/Menu.tsx";
import type { MaskMenuItems } from "./MaskMenu.tsx";

interface MaskMenuButtonProps extends MaskMenuItems {
  readonly onIntent: () => void;
  readonly size?: "small" | "medium";
}

const loadItems = () => import("./MaskMenu.tsx").then((module) => module.MaskMenu);

/** Opens the menu of what can be done with a mask. */
export const MaskMenuButton = ({ onIntent, size = "medium", ...items }: MaskMenuButtonProps) => {
  const { toasts } = useApp();
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only prefetches what the menu inside opens
    <span onPointerEnter={onIntent} onFocus={onIntent}>
      <LazyMenu
        label={`Options for ${maskName(items.mask)}`}
        size={size}
        onUnavailable={() =>
          toasts.show("error", "The menu could not be loaded. Check your connection, then refresh the page.")
        }
        items={items}
        load={loadItems}
      />
    </span>
  );
};
