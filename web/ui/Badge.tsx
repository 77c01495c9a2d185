import type { ReactNode } from "react";
import styles from "./Badge.module.css";
import { classes } from "./classes.ts";

export interface BadgeProps {
  readonly children: ReactNode;
  readonly kind?: "neutral" | "accent" | "success" | "warning" | "danger" | undefined;
  /** A point of the kind's colour before the text. */
  readonly hasDot?: boolean | undefined;
  readonly icon?: ReactNode;
}

/** A short word about the thing beside it. The word says it; the colour only helps. */
export const Badge = ({ children, kind = "neutral", hasDot = false, icon }: BadgeProps) => (
  <span className={classes(styles.badge, styles[kind])}>
    {hasDot && <span className={styles.dot} aria-hidden="true" />}
    {icon}
    {children}
  </span>
);
