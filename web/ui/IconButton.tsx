import type { KeyboardEvent, MouseEvent, ReactNode, Ref } from "react";
import { classes } from "./classes.ts";
import styles from "./IconButton.module.css";

export interface IconButtonProps {
  /** The button's accessible name, also shown as its tooltip. */
  readonly label: string;
  readonly icon: ReactNode;
  readonly onPress?: ((event: MouseEvent<HTMLButtonElement>) => void) | undefined;
  readonly variant?: "quiet" | "outlined" | "float" | undefined;
  readonly size?: "small" | "medium" | undefined;
  readonly isPending?: boolean | undefined;
  readonly isDisabled?: boolean | undefined;
  /** True while a toggle button is on; undefined for an ordinary button. */
  readonly isPressed?: boolean | undefined;
  readonly id?: string | undefined;
  readonly className?: string | undefined;
  readonly ref?: Ref<HTMLButtonElement> | undefined;
  readonly onPointerEnter?: (() => void) | undefined;
  readonly onFocus?: (() => void) | undefined;
  readonly onKeyDown?: ((event: KeyboardEvent<HTMLButtonElement>) => void) | undefined;
  readonly "aria-expanded"?: boolean | undefined;
  readonly "aria-controls"?: string | undefined;
  readonly "aria-haspopup"?: "menu" | "dialog" | "listbox" | undefined;
  readonly "aria-describedby"?: string | undefined;
}

/**
 * A button that shows an icon and has a text as its name. Its target is at least 32 px, 44 px on a narrow screen.
 * The "float" variant is round, floats over the page's lower corner and exists below 768 px only. A press while pending
 * does nothing.
 */
export const IconButton = ({
  label,
  icon,
  onPress,
  variant = "quiet",
  size = "medium",
  isPending = false,
  isDisabled = false,
  isPressed,
  className,
  ...rest
}: IconButtonProps) => (
  <button
    {...rest}
    type="button"
    aria-label={label}
    aria-pressed={isPressed}
    aria-disabled={isPending || undefined}
    aria-busy={isPending || undefined}
    disabled={isDisabled}
    onClick={isPending ? undefined : onPress}
    className={classes(styles.button, styles[variant], styles[size], className)}
  >
    {/* A title on the button itself would be read as a description that repeats the name. */}
    <span className={styles.face} title={label} data-tip={label} aria-hidden="true">
      {icon}
    </span>
  </button>
);
