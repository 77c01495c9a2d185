import type { ReactNode } from "react";
import styles from "./Button.module.css";
import type { ButtonProps } from "./Button.tsx";
import { classes } from "./classes.ts";
import { followPlainly } from "./followPlainly.ts";

interface ButtonLinkProps extends Pick<ButtonProps, "variant" | "size" | "isFullWidth"> {
  readonly href: string;
  readonly children: ReactNode;
  readonly icon?: ReactNode;
  /** Goes there on a plain press, in place of the browser. */
  readonly onFollow?: (() => void) | undefined;
  readonly className?: string | undefined;
  readonly "aria-label"?: string | undefined;
  readonly "aria-describedby"?: string | undefined;
}

/** A link that looks like a button: it leads to another page, and can be opened in another tab. */
export const ButtonLink = ({
  href,
  children,
  icon,
  onFollow,
  variant = "secondary",
  size = "medium",
  isFullWidth = false,
  className,
  ...rest
}: ButtonLinkProps) => (
  <a
    {...rest}
    href={href}
    className={classes(
      styles.button,
      styles.link,
      styles[variant],
      styles[size],
      isFullWidth && styles.fullWidth,
      className,
    )}
    onClick={onFollow && followPlainly(onFollow)}
  >
    {icon !== undefined && <span className={styles.icon}>{icon}</span>}
    <span className={styles.label}>
      <span className={styles.text}>{children}</span>
    </span>
  </a>
);
