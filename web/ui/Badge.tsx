import type { ReactNode } from "react";
import styles from "./Badge.module.css";
import { classes } from "./classes.ts";
import tones from "./kinds.module.css";

export interface BadgeProps {
  readonly children: ReactNode;
  readonly kind?: "neutral" | "accent" | "success" | "warning" | "danger" | undefined;
  /** Draws a dot in the kind's color before the text. */
  readonly hasDot?: boolean | undefined;
  readonly icon?: ReactNode;
}

/** A short label for the element beside it. The text carries the meaning; the color only supports it. */
export const Badge = ({ children, kind = "neutral", hasDot = false, icon }: BadgeProps) => (
  <span className={classes(styles.badge, tones[kind])}>
    {hasDot && <span className={styles.dot} aria-hidden="true" />}
    {icon}
    {children}
  </span>
);
