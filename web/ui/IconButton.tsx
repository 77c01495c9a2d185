import type { KeyboardEvent, MouseEvent, ReactNode, Ref } from "react";
import { classes } from "./classes.ts";
import styles from "./IconButton.module.css";

export interface IconButtonProps {
  /** The button's name, also shown when a pointer rests on it. */
  readonly label: string;
  readonly icon: ReactNode;
  readonly onPress?: ((event: MouseEvent<HTMLButtonElement>) => void) | undefined;
  readonly variant?: "quiet" | "outlined" | "float" | undefined;
  readonly size?: "small" | "medium" | undefined;
  readonly isPending?: boolean | undefined;
  readonly isDisabled?: boolean | undefined;
  /** For a button that stays down (a toggle). */
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
 * A button whose face is an icon and whose name is text. Its target is at least 32 px, 44 px on a narrow screen.
 * "float" is the round one
 * over a page's lower corner, there below 768 px only. While pending a press calls nothing.
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
    {/* On the button itself the title would be read as its description, after the same name. */}
    <span className={styles.face} title={label} aria-hidden="true">
      {icon}
    </span>
  </button>
);
