import type { ComponentType } from "react";
import type { IconProps } from "../ui/icons/IconFrame.tsx";

/** A place of the page that has an address: what leads there takes its address, name and icon from here. */
export interface Route {
  /** The path in the address. */
  readonly path: readonly string[];
  readonly title: string;
  /** The place's picture; what has none is offered nowhere, since its address needs something more. */
  readonly icon?: ComponentType<IconProps>;
  /** True if the menu at the end of the navigation leads there. */
  readonly isInMenu?: true;
  /** True if only operators may go there. */
  readonly isForOperators?: true;
}
