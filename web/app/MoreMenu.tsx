import type { ComponentProps } from "react";
import { useHeldCount } from "../features/held/useHeldCount.ts";
import { loadFailedText } from "../loading/useOpening.ts";
import { useApp } from "../react/useApp.ts";
import { MoreIcon } from "../ui/icons/MoreIcon.tsx";
import { NavBarButton } from "../ui/NavBar.tsx";
import { LazyMenu } from "../ui/overlay/Menu.tsx";
import type { RunKey } from "./commands/Commands.tsx";

const load = () => import("./MoreMenuPopup.tsx").then(({ MoreMenuPopup }) => MoreMenuPopup);

const MoreButton = (props: ComponentProps<typeof NavBarButton>) => (
  <NavBarButton {...props} badge={useHeldCount()} />
);

/** The end of the navigation: a menu of the pages that have no tab. */
export const MoreMenu = ({ onKey }: { readonly onKey: RunKey }) => {
  const { toasts } = useApp();
  return (
    <LazyMenu
      label="More"
      icon={<MoreIcon />}
      button={MoreButton}
      items={onKey}
      load={load}
      onUnavailable={() => toasts.show("error", loadFailedText)}
    />
  );
};
