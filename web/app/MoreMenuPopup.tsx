import { type ComponentProps, useEffect } from "react";
import { startTask } from "../../core/kernel/task.ts";
import { useHeldCount } from "../features/held/useHeldCount.ts";
import { addressText } from "../navigation/address.ts";
import { useSignedIn } from "../react/useApp.ts";
import { useObservable } from "../react/useObservable.ts";
import { KeyboardIcon } from "../ui/icons/KeyboardIcon.tsx";
import { KeyHint } from "../ui/Keycaps.tsx";
import type { MenuPopupOf } from "../ui/overlay/Menu.tsx";
import { type MenuItem, MenuPopup } from "../ui/overlay/MenuPopup.tsx";
import type { RunKey } from "./commands/Commands.tsx";
import { listScreens } from "./routes/screens.ts";

const useIsOperator = (): boolean => {
  const { account } = useSignedIn();
  useEffect(() => {
    startTask(account.refreshIfOld());
  }, [account]);
  return useObservable(account.account$)?.isOperator === true;
};

/** The pages that have no tab, and the keys. */
export const MoreMenuPopup = ({ items: onKey, ...popup }: ComponentProps<MenuPopupOf<RunKey>>) => {
  const { count } = useHeldCount();
  const isOperator = useIsOperator();
  const links = listScreens(isOperator).filter(({ isInMenu }) => isInMenu);
  const items: readonly MenuItem[] = [
    ...links.map(({ path, title, icon: Icon }) => ({
      id: addressText(path),
      label: title,
      icon: Icon && <Icon />,
      href: addressText(path),
      hint: path[0] === "held" && count > 0 ? count : undefined,
    })),
    {
      id: "keys",
      label: "Keyboard shortcuts",
      icon: <KeyboardIcon />,
      hint: <KeyHint keys="?" />,
      onSelect: () => onKey("help"),
    },
  ];
  return <MenuPopup {...popup} items={items} />;
};
