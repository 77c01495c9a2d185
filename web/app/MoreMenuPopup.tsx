import { type ComponentProps, useEffect } from "react";
import { createHeld } from "../../core/held/held.ts";
import { startTask } from "../../core/kernel/task.ts";
import { addressText } from "../navigation/address.ts";
import { useFeature, useSignedIn } from "../react/useApp.ts";
import { useObservable } from "../react/useObservable.ts";
import { ClockIcon } from "../ui/icons/ClockIcon.tsx";
import { GlobeIcon } from "../ui/icons/GlobeIcon.tsx";
import { InboxIcon } from "../ui/icons/InboxIcon.tsx";
import { KeyboardIcon } from "../ui/icons/KeyboardIcon.tsx";
import { MailIcon } from "../ui/icons/MailIcon.tsx";
import { ServerIcon } from "../ui/icons/ServerIcon.tsx";
import { TrashIcon } from "../ui/icons/TrashIcon.tsx";
import { Keycaps } from "../ui/Keycaps.tsx";
import type { MenuPopupOf } from "../ui/overlay/Menu.tsx";
import { type MenuItem, MenuPopup } from "../ui/overlay/MenuPopup.tsx";
import type { RunKey } from "./commands/Commands.tsx";

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
  const items: readonly MenuItem[] = [
    { id: "held", label: "Held mail", icon: <InboxIcon />, href: addressText(["held"]), hint: heldCount },
    { id: "mailbox", label: "Mail in the app", icon: <MailIcon />, href: addressText(["mailbox"]) },
    { id: "log", label: "Log", icon: <ClockIcon />, href: addressText(["log"]) },
    { id: "domains", label: "Domains", icon: <GlobeIcon />, href: addressText(["settings", "domains"]) },
    { id: "trash", label: "Deleted masks", icon: <TrashIcon />, href: addressText(["masks", "deleted"]) },
    ...(isOperator
      ? [
          {
            id: "operator",
            label: "Operator",
            icon: <ServerIcon />,
            href: addressText(["account", "operator"]),
          },
        ]
      : []),
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
