import {
  type ComponentType,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useRef,
  useState,
} from "react";
import { IconButton, type IconButtonProps } from "../IconButton.tsx";
import { MoreIcon } from "../icons/MoreIcon.tsx";
import type { MenuFocus, MenuItem, MenuPopupProps } from "./MenuPopup.tsx";

export interface MenuProps {
  /** The trigger's accessible name: "Actions for Shopping". */
  readonly label: string;
  readonly items: readonly MenuItem[];
  readonly icon?: ReactNode;
  readonly isDisabled?: boolean | undefined;
  /** The id of the trigger. */
  readonly id?: string | undefined;
  readonly size?: IconButtonProps["size"];
  readonly "aria-describedby"?: string | undefined;
  /** Handles keys on the trigger first; an event whose default it prevents does not open the menu. */
  readonly onKeyDown?: ((event: KeyboardEvent<HTMLButtonElement>) => void) | undefined;
  /** Called when the popup's code could not be loaded; the menu then stays closed. */
  readonly onUnavailable?: (() => void) | undefined;
}

/** The popup list of a menu whose items are loaded with it. */
export type MenuPopupOf<I> = ComponentType<Omit<MenuPopupProps, "items"> & { readonly items: I }>;

interface LazyMenuProps<I> extends Omit<MenuProps, "items"> {
  /** The data that the popup makes its items of. */
  readonly items: I;
  readonly load: () => Promise<MenuPopupOf<I>>;
  /** The component that the button is shown by. */
  readonly button?: ComponentType<IconButtonProps> | undefined;
}

const focusFor: Readonly<Record<string, MenuFocus>> = { ArrowDown: "first", ArrowUp: "last" };

/**
 * A button that opens a list of actions. The popup's code is loaded when the button is first hovered or focused.
 * Down and Up open the menu at its first and last item, letters find an item, and Escape closes it and returns the focus
 * to the button, which also has the focus when an item's action runs.
 */
export const LazyMenu = <I,>({
  label,
  items,
  load,
  icon = <MoreIcon />,
  onUnavailable,
  onKeyDown,
  button: Button = IconButton,
  ...rest
}: LazyMenuProps<I>) => {
  const trigger = useRef<HTMLButtonElement>(null);
  const [Loaded, setLoaded] = useState<MenuPopupOf<I> | undefined>(undefined);
  const [focus, setFocus] = useState<MenuFocus | undefined>(undefined);
  const [chosen, setChosen] = useState<MenuItem | undefined>(undefined);

  // NOTE: an action that runs while the popup closes takes the focus from a part of the page that is removed. It runs in an effect
  // after that, so that a dialog it opens finds the focus on the button and returns it there.
  useEffect(() => {
    if (chosen === undefined) return;
    trigger.current?.focus();
    setChosen(undefined);
    chosen.onSelect?.();
  }, [chosen]);

  const fetchPopup = (): Promise<void> => load().then((popup) => setLoaded(() => popup));

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
      <Button
        {...rest}
        ref={trigger}
        label={label}
        icon={icon}
        aria-haspopup="menu"
        aria-expanded={focus !== undefined}
        // A click by keyboard has a detail of 0.
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

const loadPopup = () => import("./MenuPopup.tsx").then(({ MenuPopup }) => MenuPopup);

/** A menu whose items are known before it opens. */
export const Menu = (props: MenuProps) => <LazyMenu {...props} load={loadPopup} />;
