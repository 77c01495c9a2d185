import { type ComponentProps, useEffect } from "react";
import { createHeld } from "../../core/held/held.ts";
import { startTask } from "../../core/kernel/task.ts";
import { addressText } from "../navigation/address.ts";
import { useFeature, useSignedIn } from "../react/useApp.ts";
import { useObservable } from "../react/useObservable.ts";
import { KeyboardIcon } from "../ui/icons/KeyboardIcon.tsx";
import { Keycaps } from "../ui/Keycaps.tsx";
import type { MenuPopupOf } from "../ui/overlay/Menu.tsx";
import { type MenuItem, MenuPopup } from "../ui/overlay/MenuPopup.tsx";
import type { RunKey } from "./commands/Commands.tsx";
import { listScreens } from "./routes/screens.ts";

/** Returns the number of held mails as text; undefined while it is unknown. */
const useHeldCount = (isOpen: boolean): string | undefined => {
  const held = useFeature(createHeld);
  const { maskId, mails, more } = useObservable(held.view$);
  useEffect(() => (isOpen ? held.open(null) : undefined), [held, isOpen]);
  if (maskId !== null || !mails?.length) return undefined;
  return `${mails.length}${more ? "+" : ""}`;
};

const useIsOperator = (): boolean => {
  const { account } = useSignedIn();
  useEffect(() => {
    startTask(account.refreshIfOld());
  }, [account]);
  return useObservable(account.account$)?.isOperator === true;
};

/** The pages that have no tab, and the keys. */
export const MoreMenuPopup = ({ items: onKey, ...popup }: ComponentProps<MenuPopupOf<RunKey>>) => {
  const heldCount = useHeldCount(popup.focus !== undefined);
  const isOperator = useIsOperator();
  const links = listScreens(isOperator).filter(({ isInMenu }) => isInMenu);
  const items: readonly MenuItem[] = [
    ...links.map(({ path, title, icon: Icon }) => ({
      id: addressText(path),
      label: title,
      icon: Icon && <Icon />,
      href: addressText(path),
      hint: path[0] === "held" ? heldCount : undefined,
    })),
    {
      id: "keys",
      label: "Keyboard shortcuts",
      icon: <KeyboardIcon />,
      hint: <Keycaps keys="?" />,
      onSelect: () => onKey("help"),
    },
  ];
  return <MenuPopup {...popup} items={items} />;
};
