import type { ReactNode } from "react";

/** One action of a menu. */
export interface MenuItem {
  readonly id: string;
  readonly label: string;
  readonly icon?: ReactNode;
  /** It loses something: set apart and in red. */
  readonly isDanger?: boolean | undefined;
  readonly isDisabled?: boolean | undefined;
  readonly onSelect: () => void;
}

/** Where the focus goes when the menu opens: an end of it, or the menu itself when a pointer opened it. */
export type MenuFocus = "first" | "last" | "menu";
