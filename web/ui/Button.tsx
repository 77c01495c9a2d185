import type { MouseEvent, ReactNode, Ref } from "react";
import styles from "./Button.module.css";
import { classes } from "./classes.ts";

export type ButtonVariant = "primary" | "secondary" | "quiet" | "danger" | "quietDanger";
export type ButtonSize = "small" | "medium" | "large";

export interface ButtonProps {
  readonly children: ReactNode;
  readonly onPress?: ((event: MouseEvent<HTMLButtonElement>) => void) | undefined;
  /** Defaults to "secondary". "quietDanger" leads to a destructive action; "danger" performs it. */
  readonly variant?: ButtonVariant | undefined;
  readonly size?: ButtonSize | undefined;
  readonly type?: "button" | "submit" | undefined;
  /** The action that the press started is running. */
  readonly isPending?: boolean | undefined;
  /** Replaces the label while pending; the button always has the width of the longer of the two. */
  readonly pendingLabel?: string | undefined;
  readonly isDisabled?: boolean | undefined;
  readonly isFullWidth?: boolean | undefined;
  readonly icon?: ReactNode;
  readonly iconAfter?: ReactNode;
  readonly autoFocus?: boolean | undefined;
  readonly id?: string | undefined;
  /** The id of the form this button submits when it is outside that form. */
  readonly form?: string | undefined;
  readonly className?: string | undefined;
  readonly ref?: Ref<HTMLButtonElement> | undefined;
  readonly "aria-label"?: string | undefined;
  readonly "aria-describedby"?: string | undefined;
  readonly "aria-expanded"?: boolean | undefined;
  readonly "aria-controls"?: string | undefined;
  readonly "aria-haspopup"?: "menu" | "dialog" | "listbox" | undefined;
}

/** A button. While pending it keeps its width, name and focus and is announced as busy; a press does nothing. */
export const Button = ({
  children,
  onPress,
  variant = "secondary",
  size = "medium",
  type = "button",
  isPending = false,
  pendingLabel,
  isDisabled = false,
  isFullWidth = false,
  icon,
  iconAfter,
  className,
  ...rest
}: ButtonProps) => {
  const press = (event: MouseEvent<HTMLButtonElement>): void => {
    if (isPending) {
      event.preventDefault();
      return;
    }
    onPress?.(event);
  };
  const isLabelHidden = isPending && pendingLabel === undefined;

  return (
    <button
      {...rest}
      type={type}
      disabled={isDisabled}
      aria-disabled={isPending || undefined}
      aria-busy={isPending || undefined}
      onClick={press}
      className={classes(
        styles.button,
        styles[variant],
        styles[size],
        isFullWidth && styles.fullWidth,
        isPending && styles.pending,
        className,
      )}
    >
      {icon !== undefined && <span className={styles.icon}>{icon}</span>}
      <span className={styles.label}>
        <span className={classes(styles.text, isPending && pendingLabel !== undefined && styles.away)}>
          {children}
        </span>
        {pendingLabel !== undefined && (
          <span className={classes(styles.text, !isPending && styles.away)}>{pendingLabel}</span>
        )}
      </span>
      {iconAfter !== undefined && <span className={styles.icon}>{iconAfter}</span>}
      {isLabelHidden && <span className={styles.spinner} aria-hidden="true" />}
    </button>
  );
};
