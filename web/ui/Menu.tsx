import { type KeyboardEvent, type MouseEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { IconButton, type IconButtonProps } from "./IconButton.tsx";
import { MoreIcon } from "./icons/MoreIcon.tsx";
import type { MenuPopup } from "./MenuPopup.tsx";
import type { MenuFocus, MenuItem } from "./menuItem.ts";

export interface MenuProps {
  /** The trigger's name: "Actions for Shopping". */
  readonly label: string;
  readonly items: readonly MenuItem[];
  readonly icon?: ReactNode;
  readonly isDisabled?: boolean | undefined;
  /** Of the trigger. */
  readonly id?: string | undefined;
  readonly size?: IconButtonProps["size"];
  readonly "aria-describedby"?: string | undefined;
  /** Keys that do something else on the trigger; what is prevented here opens nothing. */
  readonly onKeyDown?: ((event: KeyboardEvent<HTMLButtonElement>) => void) | undefined;
  /** Called when the popup's code could not be fetched (the network is away); the menu then stays closed. */
  readonly onUnavailable?: (() => void) | undefined;
}

type Popup = typeof MenuPopup;

const focusFor: Readonly<Record<string, MenuFocus>> = { ArrowDown: "first", ArrowUp: "last" };

/**
 * A button that opens a list of actions. The popup's code is fetched when the button is first pointed at or focused,
 * so it costs a page nothing. Down and Up open it at its first and last item, letters find an item, Escape closes and
 * gives the focus back to the button, which also has it when an item's action runs.
 */
export const Menu = ({
  label,
  items,
  icon = <MoreIcon />,
  onUnavailable,
  onKeyDown,
  ...button
}: MenuProps) => {
  const trigger = useRef<HTMLButtonElement>(null);
  const [Loaded, setLoaded] = useState<Popup | undefined>(undefined);
  const [focus, setFocus] = useState<MenuFocus | undefined>(undefined);
  const [chosen, setChosen] = useState<MenuItem | undefined>(undefined);

  // The popup is gone by now. A dialog the action opens must find the focus on the button, or it has nowhere to give
  // it back to.
  useEffect(() => {
    if (chosen === undefined) return;
    trigger.current?.focus();
    setChosen(undefined);
    chosen.onSelect();
  }, [chosen]);

  const fetchPopup = (): Promise<void> =>
    import("./MenuPopup.tsx").then((module) => setLoaded(() => module.MenuPopup));

  const prepare = (): void => {
    if (Loaded === undefined) fetchPopup().catch(() => undefined);
  };

  const open = (at: MenuFocus): void => {
    trigger.current?.focus();
    setFocus(at);
    if (Loaded !== undefined) return;
    fetchPopup().catch(() => {
      setFocus(undefined);
      onUnavailable?.();
    });
  };

  const openByKey = (event: KeyboardEvent<HTMLButtonElement>): void => {
    onKeyDown?.(event);
    if (event.defaultPrevented) return;
    const at = focusFor[event.key];
    if (at === undefined) return;
    event.preventDefault();
    open(at);
  };

  return (
    <>
      <IconButton
        {...button}
        ref={trigger}
        label={label}
        icon={icon}
        aria-haspopup="menu"
        aria-expanded={focus !== undefined}
        // A press by the keyboard has no click count.
        onPress={(event: MouseEvent) => open(event.detail === 0 ? "first" : "menu")}
        onKeyDown={openByKey}
        onPointerEnter={prepare}
        onFocus={prepare}
      />
      {Loaded !== undefined && chosen === undefined && (
        <Loaded
          label={label}
          items={items}
          trigger={trigger}
          focus={focus}
          onClose={() => setFocus(undefined)}
          onChoose={(item) => {
            setFocus(undefined);
            setChosen(item);
          }}
        />
      )}
    </>
  );
};
